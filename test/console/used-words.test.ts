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
import { parseSync, Visitor } from 'oxc-parser';

/**
 * Which words of a dictionary the pages use, read from their sources: `t.mission.facts` uses `facts` of `mission`. An object that a variable, a
 * parameter or a property hides counts for every group that has the member. `wordOf` chooses a word of a group by a value.
 */
interface Node {
  readonly type: string;
  readonly computed?: boolean;
  readonly object?: Node;
  readonly property?: Node;
  readonly name?: string;
  readonly id?: Node;
  readonly init?: Node | null;
  readonly properties?: readonly { readonly key?: Node; readonly argument?: Node }[];
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
}

interface Uses {
  /** `group.member` where the group is known. */
  readonly pairs: ReadonlySet<string>;
  /** Members of objects whose group is not known. */
  readonly members: ReadonlySet<string>;
  /** Groups whose members are chosen by a value: `states[state]`. */
  readonly indexed: ReadonlySet<string>;
}

const isMember = (node: Node | undefined): boolean => node?.type === 'MemberExpression' && node.computed !== true;

function collect(path: string, source: string, into: { pairs: Set<string>; members: Set<string>; indexed: Set<string> }): void {
  const aliases = new Map<string, string | null>();
  const { program } = parseSync(path, source);
  /** The name of the group that an expression gives; null where it is not known. */
  const groupOf = (node: Node | undefined): string | null => {
    if (isMember(node)) return node?.property?.name ?? null;
    if (node?.type === 'MemberExpression') return null;
    return node?.name === undefined ? null : (aliases.get(node.name) ?? null);
  };
  const use = (group: string | null, member: string | undefined): void => {
    if (member === undefined) return;
    if (group === null) into.members.add(member);
    else into.pairs.add(`${group}.${member}`);
  };
  const declarator = ({ id, init }: Node): void => {
    const name = id?.name;
    if (name !== undefined && isMember(init ?? undefined)) {
      const group = init?.property?.name ?? null;
      aliases.set(name, aliases.has(name) && aliases.get(name) !== group ? null : group);
    }
  };
  new Visitor({ VariableDeclarator: (node) => declarator(node as unknown as Node) }).visit(program);
  new Visitor({
    MemberExpression: (raw) => {
      const node = raw as unknown as Node;
      const spread = (node.object?.properties ?? []).map(({ argument }) => argument);
      if (node.computed === true) for (const each of [node.object, ...spread]) into.indexed.add(groupOf(each) ?? '');
      else use(groupOf(node.object), node.property?.name);
    },
    VariableDeclarator: (raw) => {
      const { id, init } = raw as unknown as Node;
      for (const { key } of id?.properties ?? []) use(groupOf(init ?? undefined), key?.name);
    },
    CallExpression: (raw) => {
      const { callee, arguments: given = [] } = raw as unknown as Node;
      if (callee?.object?.name === 'Object' || callee?.name === 'wordOf')
        for (const each of given) into.indexed.add(groupOf(each) ?? '');
    },
  }).visit(program);
}

/** Returns the uses in every source of the pages but the dictionaries. */
function usesOfWords(): Uses {
  const folder = join(packageRoot(import.meta.url), 'src', 'console');
  const into = { pairs: new Set<string>(), members: new Set<string>(), indexed: new Set<string>() };
  for (const path of filesBelow(folder).filter(
    (each) => /\.tsx?$/.test(each) && !/operator\/text\/|dashboard\/text\/|words\.ts$/.test(each),
  ))
    collect(path, readFileSync(join(folder, path), 'utf8'), into);
  return into;
}

/** Returns the paths of the words in a dictionary that no page uses. */
function unusedWords(dictionary: object, uses: Uses, path: readonly string[] = []): string[] {
  const group = path.at(-1);
  return Object.entries(dictionary).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, name];
    if (group !== undefined && uses.indexed.has(group)) return [];
    if (typeof value === 'object' && value !== null) return unusedWords(value, uses, here);
    const used = uses.members.has(name) || (group !== undefined && uses.pairs.has(`${group}.${name}`));
    return used ? [] : [here.join('.')];
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
