/** Compiles jobs into a plan, whose root a contract stores, and checks plans. */
import { utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { keccak256 } from '../../base/keccak.js';
import { tokenDecimals } from '../../codec/chain.js';
import { planSchema, type JobSpec, type Plan } from '../../codec/ascension.js';
import { bytesOf, treeOf } from './merkle.js';

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
