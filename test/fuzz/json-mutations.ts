/** Mutations of JSON that know its structure: members and items removed, repeated, renamed, exchanged, or replaced by telling values. */
import type { Prng } from '../../src/base/prng.js';
import { mutateBytes, pick, type Mutant } from '../support/archive/byte-mutations.js';
import { canary } from './target.js';

/** A value, or text that takes its place unchanged, so that it may be what no parser returns. */
type Tree = { readonly raw: string } | { readonly items: readonly Tree[] } | { readonly members: readonly Member[] };
type Member = readonly [name: string, value: Tree];
type Edit = (tree: Tree, random: Prng) => Tree;

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return { raw: JSON.stringify(value) };
  return { members: Object.entries(value).map(([name, member]) => [JSON.stringify(name), treeOf(member)]) };
}

export function textOf(tree: Tree): string {
  if ('raw' in tree) return tree.raw;
  if ('items' in tree) return `[${tree.items.map(textOf).join(',')}]`;
  return `{${tree.members.map(([name, value]) => `${name}:${textOf(value)}`).join(',')}}`;
}

const childrenOf = (tree: Tree): readonly Tree[] =>
  'raw' in tree ? [] : 'items' in tree ? tree.items : tree.members.map(([, value]) => value);

function withChild(tree: Tree, at: number, child: Tree): Tree {
  if ('items' in tree) return { items: tree.items.with(at, child) };
  if ('members' in tree) return { members: tree.members.with(at, [tree.members[at]?.[0] ?? '""', child]) };
  return tree;
}

/** Applies an edit somewhere in the tree, more often near its leaves. */
function somewhere(tree: Tree, random: Prng, edit: Edit): Tree {
  const children = childrenOf(tree);
  if (children.length === 0 || random.below(4) === 0) return edit(tree, random);
  const at = random.below(children.length);
  return withChild(tree, at, somewhere(children[at] ?? tree, random, edit));
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const numbers = [...'0 -0 -1 1 0.5 1e999 -1e999 1e-400 4294967296 9007199254740993 1E+2'.split(' '), '9'.repeat(30)];
const texts = ['', ' ', '\\u0000', '\\ud800', '\\udfff\\ud800', '__proto__', '../../x', '0', '\u202e\u200b', '%00'].map(
  (text) => `"${text}"`,
);
const echoed = [`"${canary}"`, `"${canary.repeat(200)}"`, `"\\u000d\\u000aX: ${canary}"`];
const containers = [
  '[]',
  '{}',
  '[null]',
  '{"":0}',
  '{"__proto__":{"x":1}}',
  '{"toString":1}',
  nested(6),
  nested(65),
  nested(3e3),
];
const junk = ['', '[', '}', '01', '+1', '.5', 'NaN', 'undefined', "'x'", '//x', '"\\x"', '"\t"'];
const telling: readonly string[] = ['null', 'true', 'false', ...numbers, ...texts, ...echoed, ...containers, ...junk];
const names: readonly string[] = ['"x"', '""', '"__proto__"', '"constructor"', '"kind"', '"id"', '"toString"', '"\\u0000"'];
const repeats: readonly number[] = [2, 11, 201, 2_001];

const replaced: Edit = (_, random) => ({ raw: pick(telling, random) });

/** Moves a number by a little or a lot, and puts a character into a text. */
const nudged: Edit = (tree, random) => {
  if (!('raw' in tree)) return replaced(tree, random);
  const number = Number(tree.raw);
  if (tree.raw.startsWith('"')) {
    const inside = tree.raw.slice(1, -1);
    const at = random.below(inside.length + 1);
    const put = pick(['a', ' ', '-', '\\n', '\\u0000', '\u{1f600}', '\ufeff', '0', 'x'.repeat(3_000)], random);
    return { raw: `"${inside.slice(0, at)}${put}${inside.slice(at + random.below(3))}"` };
  }
  return { raw: String(pick([number + 1, number - 1, -number, number * 1e6, number / 3, number + 0.5], random)) };
};

const removed: Edit = (tree, random) => {
  const at = random.below(Math.max(1, childrenOf(tree).length));
  if ('items' in tree) return { items: tree.items.toSpliced(at, 1) };
  return 'members' in tree ? { members: tree.members.toSpliced(at, 1) } : replaced(tree, random);
};

const added: Edit = (tree, random) => {
  const child = pick([...childrenOf(tree), { raw: pick(telling, random) }], random);
  if ('items' in tree) return { items: [...tree.items, ...Array.from({ length: pick(repeats, random) }, () => child)] };
  if (!('members' in tree)) return { items: [tree] };
  const name = pick([...names, ...tree.members.map(([known]) => known)], random);
  return { members: tree.members.toSpliced(random.below(tree.members.length + 1), 0, [name, child]) };
};

const exchanged: Edit = (tree, random) => {
  const children = childrenOf(tree);
  if (children.length < 2) return replaced(tree, random);
  const [a, b] = [random.below(children.length), random.below(children.length)];
  return withChild(withChild(tree, a, children[b] ?? tree), b, children[a] ?? tree);
};

const edits: readonly (readonly [name: string, edit: Edit])[] = [
  ['replaced', replaced],
  ['nudged', nudged],
  ['nudged', nudged],
  ['removed', removed],
  ['added', added],
  ['exchanged', exchanged],
];

const edits_max = 3;

/** Returns the text of the value with up to three mutations; now and then the bytes of the text are mutated besides. */
export function mutateJson(value: unknown, random: Prng): Mutant {
  let tree = treeOf(value);
  const done: string[] = [];
  for (let n = random.below(edits_max + 1); n > 0; n--) {
    const [name, edit] = pick(edits, random);
    tree = somewhere(tree, random, edit);
    done.push(name);
  }
  const bytes = Buffer.from(textOf(tree));
  if (random.below(12) > 0) return { bytes, what: done.join(', ') || 'as it is' };
  const mutant = mutateBytes(bytes, random);
  return { bytes: mutant.bytes, what: [...done, mutant.what].join(', ') };
}
