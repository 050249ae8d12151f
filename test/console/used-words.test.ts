/** Every word of the dictionaries is used by a page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../src/codec/kinds.js';
import { words as dashboard } from '../../src/console/dashboard/text/all.js';
import { kitWords } from '../../src/console/kit/text/kit-words.js';
import { words as sharedWords } from '../../src/console/operator/kinds/shared/words.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { words as operator } from '../../src/console/operator/text/all.js';
import { filesBelow } from '../support/files-below.js';
import { packageRoot } from '../support/package-root.js';

interface Uses {
  /** Every name in the sources of the pages. */
  readonly names: ReadonlySet<string>;
  /** Groups whose words are chosen by a value: `states[state]`, `wordOf(t.states, state)`, `Object.entries(t.states)`. */
  readonly indexed: ReadonlySet<string>;
}

/** Returns the uses in every source of the pages but the dictionaries. */
function usesOfWords(): Uses {
  const folder = join(packageRoot(import.meta.url), 'src', 'console');
  const isDictionary = /operator\/text\/|dashboard\/text\/|words\.ts$/;
  const paths = filesBelow(folder).filter((path) => /\.tsx?$/.test(path) && !isDictionary.test(path));
  const text = paths.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n');
  const chosen = text.matchAll(/(\w+)\[(?=[a-z(])|(?:wordOf|Object\.\w+)\([^()]*?(\w+)(?=[,)])|\.\.\.[\w.]*?(\w+) \}/g);
  return {
    names: new Set(text.match(/\w+/g)),
    indexed: new Set([...chosen].map(([, group, given, spread]) => group ?? given ?? spread ?? '')),
  };
}

/** Returns the paths of the words in a dictionary that no page uses. */
function unusedWords(dictionary: object, uses: Uses, path: readonly string[] = []): string[] {
  const group = path.at(-1);
  return Object.entries(dictionary).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, name];
    if (group !== undefined && uses.indexed.has(group)) return [];
    if (typeof value === 'object' && value !== null) return unusedWords(value, uses, here);
    return uses.names.has(name) ? [] : [here.join('.')];
  });
}

describe('console: words', () => {
  const uses = usesOfWords();
  const dictionaries: Readonly<Record<string, object>> = {
    kit: kitWords.en,
    operator: operator.en,
    dashboard: dashboard.en,
    shared: sharedWords.en,
    ...Object.fromEntries(kinds.map((kind) => [kind, kindWords[kind].en])),
  };
  for (const [name, dictionary] of Object.entries(dictionaries))
    it(`are all used: ${name}`, () => assert.deepEqual(unusedWords(dictionary, uses), []));

  it('are reported when no page uses them', () => {
    assert.deepEqual(unusedWords({ mission: { facts: 'Facts', neverUsedAnywhere: 'x' } }, uses), ['mission.neverUsedAnywhere']);
    assert.deepEqual(unusedWords({ states: { anyState: 'x' } }, uses), []);
  });
});
