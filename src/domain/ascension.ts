/**
 * Compiles jobs into a plan, whose root a contract stores, and checks plans. The root is that of the Merkle tree that OpenZeppelin's MerkleProof verifies: a parent is the keccak256 of its two children in ascending order, so a
 * proof needs no directions. A node without a sibling moves up unchanged and adds nothing to its leaves' proofs.
 */
import { fromHex, utf8 } from '../base/bytes.js';
import { canonicalJson } from '../base/canonical-json.js';
import { keccak256 } from '../base/keccak.js';
import { type JobSpec, type Plan, planSchema } from '../codec/ascension.js';
import { tokenDecimals } from '../codec/chain.js';

/** Returns the parent of two hashes. Hashes are texts, `0x` and 64 lower-case digits, so text order equals byte order. */
function parentOf(a: string, b: string): string {
  const [first, second] = a < b ? [a, b] : [b, a];
  return keccak256(bytesOf(first + second.slice(2)));
}

export interface Tree {
  readonly root: string;
  /** Siblings of each leaf, from the leaf upwards. */
  readonly proofs: readonly (readonly string[])[];
}

interface Node {
  readonly hash: string;
  /** Indexes of the leaves below it. */
  readonly leaves: readonly number[];
}

/** @param leaves at least one */
export function treeOf(leaves: readonly string[]): Tree {
  const proofs: string[][] = leaves.map(() => []);
  let level: readonly Node[] = leaves.map((hash, i) => ({ hash, leaves: [i] }));
  while (level.length > 1) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += 2) above.push(joined(level[i], level[i + 1], proofs));
    level = above;
  }
  const [top] = level;
  if (top === undefined) throw new RangeError('a tree has at least one leaf');
  return { root: top.hash, proofs };
}

function joined(left: Node | undefined, right: Node | undefined, proofs: readonly string[][]): Node {
  if (left === undefined) throw new RangeError('no such node');
  if (right === undefined) return left;
  for (const i of left.leaves) proofs[i]?.push(right.hash);
  for (const i of right.leaves) proofs[i]?.push(left.hash);
  return { hash: parentOf(left.hash, right.hash), leaves: [...left.leaves, ...right.leaves] };
}

/** Returns the bytes of a `0x…` text that this program made. */
export function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex.slice(2));
  if (bytes === null) throw new RangeError('not a hexadecimal text');
  return bytes;
}

/** Returns a 32-byte big-endian word of the contract ABI in hexadecimal digits. */
const word = (value: number | string): string => BigInt(value).toString(16).padStart(64, '0');

const textHash = (text: string): string => keccak256(utf8(text)).slice(2);

/**
 * Returns a job's leaf: the hash of the hash of `abi.encode(index, keccak256(goal), keccak256(successMetric), bounty, duration,
 * priceWeight)`, all six of 32 bytes. Hashing twice keeps a leaf apart from the two children of a node.
 */
export function leafOf(index: number, { goal, successMetric, bounty, duration, priceWeight }: JobSpec): string {
  const words = [word(index), textHash(goal), textHash(successMetric), word(bounty), word(duration), word(priceWeight)];
  return keccak256(bytesOf(keccak256(bytesOf(`0x${words.join('')}`))));
}

/** @param specs 1 to 128 decoded jobs; their order gives the indexes. */
export function compilePlan(specs: readonly JobSpec[]): Plan {
  const leaves = specs.map((spec, index) => leafOf(index, spec));
  const { root, proofs } = treeOf(leaves);
  return {
    schema: planSchema,
    token: 'AGIALPHA',
    decimals: tokenDecimals,
    planRoot: root,
    totalBounty: specs.reduce((sum, { bounty }) => sum + BigInt(bounty), 0n).toString(),
    jobs: specs.map((spec, index) => ({ index, spec, leaf: leaves[index] ?? '', proof: proofs[index] ?? [] })),
  };
}

/** Returns the text of a plan: canonical JSON, without a newline. */
export const planText = (plan: Plan): string => canonicalJson(plan);

/** Returns the first difference between a plan and the one that its jobs compile to, or null. */
export function planFault(plan: Plan): string | null {
  const own = compilePlan(plan.jobs.map(({ spec }) => spec));
  for (const [i, { index, leaf }] of plan.jobs.entries()) {
    if (index !== i) return `the job at place ${i} has index ${index}`;
    if (leaf !== own.jobs[i]?.leaf) return `the leaf of job ${i} is not that of its goal, metric, bounty, duration and weight`;
  }
  if (plan.planRoot !== own.planRoot) return 'the plan root is not that of the jobs';
  const stray = plan.jobs.findIndex(({ proof }, i) => canonicalJson(proof) !== canonicalJson(own.jobs[i]?.proof ?? null));
  if (stray >= 0) return `the proof of job ${stray} is not the one that leads to the plan root`;
  return plan.totalBounty === own.totalBounty ? null : 'the total bounty is not the sum of the bounties';
}
