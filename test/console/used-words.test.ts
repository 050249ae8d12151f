/** Every word of the dictionaries is used by a page. */
import assert from 'node:assert/strict';
import { kinds } from '../../src/codec/kinds.js';
import { en as dashboard } from '../../src/console/dashboard/text/en.js';
import { kitWords } from '../../src/console/kit/text/words.js';
import { kindWords } from '../../src/console/operator/kinds/words.js';
import { words as sharedWords } from '../../src/console/operator/kinds/shared/words.js';
import { en as operator } from '../../src/console/operator/text/en.js';
import { unusedWords, usesOfWords } from '../support/used-words.js';

describe('console: words', () => {
  const uses = usesOfWords();
  const dictionaries: Readonly<Record<string, object>> = {
    kit: kitWords.en,
    operator,
    dashboard,
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
