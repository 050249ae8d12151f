/** Plans and deliveries under test, and a second way to compute them that shares no code with the first. */
import { AbiCoder, concat, id, keccak256 } from 'ethers';
import { sha256, sha256Hex, toBase64 } from '../../../src/base/bytes.js';
import { deliverySchema, type JobSpec } from '../../../src/codec/ascension.js';
import { compilePlan, planText } from '../../../src/domain/ascension.js';
import { signerFromSeed } from '../../../src/journal/keys.js';
import { canonical, foreignDocument, foreignEntry, Token } from './given-export.js';

const texts = [
  'Repair the roof',
  'Prüfe die Summe: α ≤ β',
  'line\nbreak, "quotes", back\\slash',
  '𝄞 \u{1f30a} e\u0301',
  '\u0001\u007f',
];

/** Jobs that differ in every member. */
export const sampleJobs = (n: number): JobSpec[] =>
  Array.from({ length: n }, (_, i) => ({
    goal: `${texts[i % texts.length] ?? ''} ${i}`,
    successMetric: `${texts[(i + 2) % texts.length] ?? ''} holds`,
    bounty: String(10n ** BigInt(2 + (i % 27)) + BigInt(i)),
    duration: 1 + i * 60_000,
    priceWeight: (i * 79) % 10_001,
  }));

export const job = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  goal: 'Repair the roof',
  successMetric: 'no drop falls',
  bounty: '100',
  duration: 60,
  priceWeight: 5_000,
  ...changes,
});

const words = ['uint256', 'bytes32', 'bytes32', 'uint256', 'uint256', 'uint256'];

/** A job's leaf by the ABI coder of ethers. */
export function oracleLeaf(index: number, { goal, successMetric, bounty, duration, priceWeight }: JobSpec): string {
  const values = [index, id(goal), id(successMetric), bounty, duration, priceWeight];
  return keccak256(keccak256(AbiCoder.defaultAbiCoder().encode(words, values)));
}

const oracleParent = (a: string, b: string): string => keccak256(concat(BigInt(a) < BigInt(b) ? [a, b] : [b, a]));

/** A root by recursion: the largest power of two goes left, which is what promoting an odd node comes to. */
export function oracleRoot(leaves: readonly string[]): string {
  if (leaves.length === 1) return leaves[0] ?? '';
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return oracleParent(oracleRoot(leaves.slice(0, left)), oracleRoot(leaves.slice(left)));
}

export const oracleFold = (leaf: string, proof: readonly string[]): string => proof.reduce(oracleParent, leaf);

const signer = signerFromSeed(Buffer.alloc(32, 7));
export const foreignKey = signer.publicKey.toString('hex');

/** A delivery's text around a body, signed by the foreign key whatever the body says. */
export const signedDelivery = (body: string, publicKey = foreignKey): string =>
  `{"body":${body},"publicKey":"${publicKey}","signature":"${toBase64(signer.sign(sha256(body)))}"}`;

type ForeignWork = Readonly<Record<string, string | readonly Readonly<Record<string, string>>[]>>;

export interface ForeignParts {
  readonly goal?: string;
  readonly kind?: string;
  /** The value in place of `{ kind }`. */
  readonly work?: ForeignWork;
  /** Members of the document that replace the usual ones. */
  readonly document?: Readonly<Record<string, string>>;
  /** The result as the reference agent wrote it. */
  readonly result?: string;
}

/** An export as the reference agent writes it: schema 1, numbers as Python prints them. */
export function foreignExportText({
  goal = 'Repair the roof',
  kind = 'code',
  work,
  document = {},
  result,
}: ForeignParts = {}): string {
  const resultText = result ?? '{"best":-348000.0,"huge":1e+16,"passed":3,"small":1e-05,"time_ns":1795152040956133692}';
  const review = { actor: 'a', approved: true, note: 'n', result_hash: sha256Hex(resultText) };
  const members = {
    request: { goal, work: work ?? { kind } },
    result: new Token(resultText),
    review,
    state: 'completed',
    ...document,
  };
  const { text, receipt } = foreignEntry(members);
  const texts = { canonical_body: text, canonical_result: resultText };
  return foreignDocument({ ...receipt, ...texts }, canonical);
}

export interface Foreign {
  readonly text: string;
  readonly body: string;
  readonly planRoot: string;
}

/** A delivery of that export for job `jobIndex` of a plan whose first job has the goal. */
export function foreignDelivery(exported = foreignExportText(), jobIndex: number | string = 0): Foreign {
  const plan = compilePlan([job(), ...sampleJobs(2)] as JobSpec[]);
  const body = `{"jobIndex":${jobIndex},"nativeExport":${exported},"plan":${planText(plan)},"schema":"${deliverySchema}"}`;
  return { text: signedDelivery(body), body, planRoot: plan.planRoot };
}
