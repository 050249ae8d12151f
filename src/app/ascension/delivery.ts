/**
 * A delivery: an approved mission's export, bound to one job of a plan and signed. Its encoding is unique: canonical JSON without
 * a newline, whose keccak256 is the result hash that the contract receives.
 */
import { fromBase64, sha256, toBase64, utf8 } from '../../base/bytes.js';
import { isCanonicalObject } from '../../base/canonical-scan.js';
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { keccak256 } from '../../base/keccak.js';
import { invalid, isRefused, RefusalError, unwrap } from '../../base/refusal.js';
import { Refuted } from '../../base/web-crypto.js';
import { type Delivery, deliveryCodec, deliverySchema } from '../../codec/ascension.js';
import { decode } from '../../codec/kit.js';
import { planFault, planText } from '../../domain/ascension.js';
import { identityOf, readPublicKey, type Signer, verifySignature } from '../../journal/keys.js';
import { membersOf } from '../../codec/faults.js';
import { kind as kindCodec } from '../../codec/kinds.js';
import { ofFile, readInputText } from '../../home/files.js';
import { verifyReference } from '../../kinds/reference.js';
import { missionRequest } from '../../kinds/request.js';
import { needsSandbox } from '../../kinds/table.js';
import { rebuild } from '../exports/signed-entry.js';
import { type ExportCheck, checkExport } from '../exports/verify-export.js';
import { cannot, recompute, type RecomputeVerdict, type RecomputeOptions } from '../exports/recompute.js';
import { not_canonical } from './plan-file.js';

interface BodyParts {
  readonly jobIndex: number;
  /** Canonical JSON of the export, unchanged. */
  readonly exported: string;
  /** Canonical JSON of the plan. */
  readonly plan: string;
}

const bodyText = ({ jobIndex, exported, plan }: BodyParts): string =>
  `{"jobIndex":${jobIndex},"nativeExport":${exported},"plan":${plan},"schema":"${deliverySchema}"}`;

const fileText = (body: string, publicKey: string, signature: string): string =>
  `{"body":${body},"publicKey":"${publicKey}","signature":"${signature}"}`;

/** Returns the delivery's text, signed over the SHA-256 of its body. */
export function deliveryText(signer: Signer, parts: BodyParts): string {
  const body = bodyText(parts);
  return fileText(body, signer.publicKey.toString('hex'), toBase64(signer.sign(sha256(body))));
}

export const resultHashOf = (text: string): string => keccak256(utf8(text));

export type ReadDelivery = Readonly<ReturnType<typeof readDelivery>>;

/** Reads a delivery. @throws RefusalError for a text that does not have the form of a delivery */
export function readDelivery(text: string) {
  const node = unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
  return { delivery: unwrap(decode(deliveryCodec, node.value)), node, text };
}

export interface Judgement {
  /** The first mismatch, or null. */
  readonly reason: string | null;
  /** The mission of the enclosed export; empty until that is verified. `kind` likewise. */
  readonly mission: string;
  readonly kind: string;
  /** The input for recomputing the result; null when the export does not verify. */
  readonly recomputation: ExportCheck['recomputation'] | null;
}

/** Judges whether a delivery is complete: signed by the key, over this plan, for a job with the approved mission's goal. */
export async function judgeDelivery(read: ReadDelivery, publicKey: Buffer, planRoot: string): Promise<Judgement> {
  const unknown = { mission: '', kind: '', recomputation: null };
  try {
    const reason = envelopeFault(read, publicKey, planRoot);
    if (reason !== null) return { ...unknown, reason };
    const { mission, goal, kind, recomputation } = await checkInside(read, publicKey);
    const { plan, jobIndex } = read.delivery.body;
    const isAsked = plan.jobs[jobIndex]?.spec.goal === goal;
    return { mission, kind, recomputation, reason: isAsked ? null : "the mission's goal is not that of the job" };
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    return { ...unknown, reason: `the export inside does not verify: ${error.message}` };
  }
}

/** Returns the first fault of the delivery apart from the export, or null. */
function envelopeFault({ delivery, node, text }: ReadDelivery, publicKey: Buffer, planRoot: string): string | null {
  const { body, signature } = delivery;
  if (delivery.publicKey !== publicKey.toString('hex')) return 'the file names another public key';
  const bodyNode = node.members?.get('body');
  const signed = textOf(bodyNode, text);
  if (!verifySignature(publicKey, sha256(signed), fromBase64(signature) ?? Buffer.alloc(0)))
    return 'the signature does not verify';
  const wrong = planFault(body.plan);
  if (wrong !== null) return wrong;
  const inside = bodyNode?.members?.get('nativeExport');
  const parts = { jobIndex: body.jobIndex, exported: textOf(inside, text), plan: planText(body.plan) };
  if (fileText(bodyText(parts), delivery.publicKey, signature) !== text || !isCanonical(delivery, inside, text))
    return not_canonical;
  if (body.plan.planRoot !== planRoot) return 'the delivery is for another plan root';
  return body.plan.jobs[body.jobIndex] === undefined ? `the plan has no job ${body.jobIndex}` : null;
}

/** Whether the enclosed export is canonical: RFC 8785 text for this program, Python's output for the reference agent. */
const isCanonical = (delivery: Delivery, inside: JsonNode | undefined, text: string): boolean =>
  delivery.body.nativeExport.receipt.body['schema'] === 1
    ? inside !== undefined && isPythonForm(inside, text)
    : isCanonicalObject(textOf(inside, text));

const textOf = (node: JsonNode | undefined, text: string): string => (node === undefined ? '' : text.slice(node.start, node.end));

/** Verifies the enclosed export as `verify-export` does. @throws Refuted */
async function checkInside({ delivery, node, text }: ReadDelivery, publicKey: Buffer) {
  const document = delivery.body.nativeExport;
  const inside = node.members?.get('body')?.members?.get('nativeExport');
  if (inside === undefined) throw new Refuted('it is missing');
  const { mission, recomputation } = await checkExport({ export: document, node: inside, text }, publicKey);
  // Both are signed: a schema 1 body holds the request, a schema 2 body its hash; and the readable body equals the signed one.
  const { body } = document.receipt;
  const request = membersOf(body['schema'] === 1 ? membersOf(body['document'])['request'] : document.request);
  const { kind } = membersOf(request['work']);
  return { mission, goal: request['goal'], kind: typeof kind === 'string' ? kind : '', recomputation };
}

/** Whether the node's text is what Python prints for its value: no space, sorted members, shortest strings and floats. */
const isPythonForm = (node: JsonNode, text: string): boolean => rebuild(node, text, pythonNumber) === textOf(node, text);

/** Returns a number as Python spells it; nothing for one that it would spell otherwise. */
function pythonNumber({ start, end }: JsonNode, text: string): string {
  const token = text.slice(start, end);
  return isPythonNumber(token) ? token : '';
}

/** Whether a token is an integer of any length, or a float as Python's `repr` prints it. */
export const isPythonNumber = (token: string): boolean =>
  /^(?:0|-?[1-9][0-9]*)$/.test(token) || token === pythonFloat(Number(token));

/** Outside this range of decimal exponents, Python's repr prints an exponent, of at least two digits. */
const exponent_below = -4;
const exponent_from = 16;

/** Returns Python's repr of a float; both languages print the shortest digits that read back as the same double. */
export function pythonFloat(x: number): string {
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  const [digits = '', power = ''] = x.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= exponent_below && exponent < exponent_from) {
    const text = String(x);
    return text.includes('.') ? text : `${text}.0`;
  }
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

// `ascension-verify-delivery`: verifies a delivery with only the deliverer's public key and the plan root, and recomputes the
// result.

/** Enough for a plan, an export and their signature. */
const ascension_delivery_bytes_max = 2_500_000;

export interface VerifyDeliveryOptions extends RecomputeOptions {
  readonly file: string;
  readonly publicKey: string;
  readonly planRoot: string;
  /** Whether to run the program of a code mission again. */
  readonly replayCode: boolean;
}

export interface DeliveryVerdict {
  readonly valid: boolean;
  readonly identity: string;
  readonly planRoot: string;
  readonly jobIndex: number;
  readonly mission: string;
  /** keccak256 of the file. */
  readonly resultHash: string;
  /**
   * Whether recomputing gives the same result or, for the reference agent, whether the result keeps that agent's rules; null when
   * unknown.
   */
  readonly recomputed: boolean | null;
  /** The mismatch, or why `recomputed` is null. */
  readonly reason: string | null;
}

export async function verifyDelivery(options: VerifyDeliveryOptions): Promise<DeliveryVerdict> {
  const { file, publicKey, planRoot, replayCode } = options;
  const key = readPublicKey(publicKey);
  if (!/^0x[0-9a-f]{64}$/.test(planRoot))
    throw new RefusalError(invalid('plan-root', 'must be 0x and 64 lower-case hexadecimal digits'));
  const text = readInputText(file, ascension_delivery_bytes_max);
  const read = ofFile(file, () => readDelivery(text));
  const { reason, mission, kind, recomputation } = await judgeDelivery(read, key, planRoot);
  const { jobIndex } = read.delivery.body;
  const verdict = { identity: identityOf(key), planRoot, jobIndex, mission, resultHash: resultHashOf(text) };
  if (reason !== null || recomputation === null) return { ...verdict, valid: false, recomputed: null, reason };
  const isProgram = kindCodec.is(kind) && needsSandbox(kind);
  if (replayCode && !isProgram) throw new RefusalError(noProgram(kind));
  const refusal = isProgram ? replayRefusal(read.delivery.body.nativeExport.receipt.body['schema'] === 1, replayCode) : null;
  const again = refusal === null ? await recomputeDelivery(read, recomputation, options) : cannot(refusal);
  if (replayCode && again.recomputed === null)
    throw new RefusalError('engine_unavailable', `the delivery verifies; ${again.reason ?? 'it was not recomputed'}`);
  return { ...verdict, valid: again.recomputed !== false, ...again };
}

/** Returns why a delivered program is not run again, or null. @param isForeign whether the reference agent delivered it */
const replayRefusal = (isForeign: boolean, replayCode: boolean): string | null => {
  if (isForeign) return replayCode ? foreignCode : null;
  return replayCode ? null : 'its program was not run again: add --replay-code';
};

const noProgram = (kind: string): ReturnType<typeof invalid> =>
  invalid('replay-code', `the delivery holds a mission of kind ${kind}, which has no program to run`);

/** Recomputes a delivery. @param recomputation from the delivery's judgement, which found no fault */
async function recomputeDelivery(
  read: ReadDelivery,
  recomputation: NonNullable<Judgement['recomputation']>,
  options: RecomputeOptions,
): Promise<RecomputeVerdict> {
  const { receipt } = read.delivery.body.nativeExport;
  return receipt.body['schema'] === 1 ? byReferenceRules(read) : recompute(recomputation, options);
}

const path = ['body', 'nativeExport', 'receipt', 'body', 'document'] as const;

/**
 * Checks a result by the reference agent's rules. The readable body equals the signed one token for token, so the file's content
 * is signed.
 */
function byReferenceRules({ node, text }: ReadDelivery): RecomputeVerdict {
  const document = path.reduce<JsonNode | undefined>((at, name) => at?.members?.get(name), node);
  const [given, result] = [document?.members?.get('request'), document?.members?.get('result')];
  const request = decode(missionRequest, given?.value);
  if (isRefused(request)) return cannot(`the request is not valid in this version: ${request.left.detail}`);
  const { work } = request.right;
  if (needsSandbox(work.kind)) return cannot(foreignCode);
  if (result === undefined) return { recomputed: false, reason: 'the result is missing' };
  const { failure } = verifyReference(work, { node: result, text });
  return failure === null ? { recomputed: true, reason: null } : { recomputed: false, reason: `the result is wrong: ${failure}` };
}

const foreignCode = 'its program was not run again: the reference agent ran it by rules of its own';
