/**
 * Verifies an export offline, with only the file and the public key: hash and signature of the completing entry, its review, the
 * result's hash, the request's hash, the entry's place in the log under a signed checkpoint, and the settlement. A result that takes milliseconds is
 * computed again; `recompute` runs any engine again.
 */
import { sha256Hex } from '../../base/bytes.js';
import { fromUtf8 } from '../../base/text.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { checkpoint_file_bytes_max, export_bytes_max, report_bytes_max } from '../../base/limits.js';
import type { ApprovalDemands } from '../../base/approval-evidence.js';
import { Refuted } from '../../base/web-crypto.js';
import { isRefused, type Refusal, RefusalError, unwrap } from '../../base/refusal.js';
import type { ReceiptRecord } from '../../codec/api-invoices.js';
import type { Body } from '../../codec/entry.js';
import { decodeEvent } from '../../codec/event.js';
import { exportCodec, type ExportDocument } from '../../codec/export.js';
import { decode } from '../../codec/kit.js';
import { inputName, readInput, readNamed } from '../../home/files.js';
import { identityOf, readPublicKey } from '../../journal/keys.js';
import { sameBytes } from '../../journal/merkle.js';
import { type Checkpoint, openCheckpoint } from '../../journal/note.js';
import { openNewest } from '../../state/newest-note.js';
import { isUuid } from '../missions/record.js';
import type { InputFile } from '../../intake/types.js';
import { type EmbeddedExport, embeddedIn, isRendered, isReport } from '../../reports/renderers.js';
import {
  approvalVerdict,
  type ApprovalVerdict,
  checkProof,
  checkSettlement,
  checkSigned,
  type DemandOptions,
  demandsOf,
  rebuild,
  rebuildMember,
  type RecordedReview,
  refute,
  type SignedEntry,
  signedNode,
} from './signed-entry.js';
import { notRecomputed, recompute, type Recomputation, type RecomputeOptions } from './recompute.js';
import type { SourceVerdict } from './verify-source.js';
import { membersOf } from '../../codec/faults.js';

export interface VerifyExportOptions extends RecomputeOptions, DemandOptions {
  readonly file: string;
  readonly publicKey: string;
  /** Whether to run the engine again, however long it takes; by default, where it takes milliseconds. */
  readonly recompute?: boolean | undefined;
  /** A checkpoint file to compare the export's own checkpoint with. */
  readonly against?: string | undefined;
  /** The files that the mission was made from, to be compared with its request. */
  readonly source?: readonly InputFile[] | undefined;
}

/** The key signed that the entry was the newest of its mission in the log of the proof. */
interface NewestVerdict {
  /** Number of the mission's entries then. */
  readonly count: number;
}

/** What was asked and what came out of it; null before that is known. */
interface Outcome {
  readonly kind: string | null;
  readonly goal: string | null;
  /** The assistant whose words goal and request are; absent for a person's. */
  readonly assistant?: string;
  readonly request: unknown;
  readonly result: unknown;
}

const unknownOutcome: Outcome = { kind: null, goal: null, request: null, result: null };

function outcomeOf({ request: given, receipt }: ExportDocument): Outcome {
  const { kind, goal, assistant, request = given, result } = membersOf(receipt.body['document']);
  const { goal: asked, work } = membersOf(request);
  const author = typeof assistant === 'string' ? { assistant } : {};
  return { kind: String(kind ?? membersOf(work)['kind']), goal: String(goal ?? asked), ...author, request, result };
}

/** Members on the source are absent unless files were given. */
export interface ExportVerdict extends Partial<SourceVerdict>, Outcome, Omit<ApprovalVerdict, 'review'> {
  readonly valid: boolean;
  readonly identity: string;
  readonly mission: string;
  readonly hash: string;
  readonly proof: { readonly size: number; readonly root: string } | null;
  /** Absent when the export holds no note `agent-newest/1`. */
  readonly newest?: NewestVerdict;
  /** The receipt of the payment, as recorded; absent when the export holds none. `verify-receipt` asks the chain. */
  readonly settlement?: ReceiptRecord;
  /**
   * Whether a report says, byte for byte, what its renderer makes of the export in it; null where this version does not hold the renderer. Absent for
   * an export.
   */
  readonly report?: boolean | null;
  /** Who decided, when and why, as recorded; null before that is known. */
  readonly review: RecordedReview | null;
  readonly recomputed: boolean | null;
  /** Why `recomputed` or `against` is null or false, or what failed. */
  readonly reason: string | null;
  readonly against: boolean | null;
}

export async function verifyExport(options: VerifyExportOptions): Promise<ExportVerdict> {
  const publicKey = readPublicKey(options.publicKey);
  const document = readExport(options.file);
  const demands = await demandsOf(options);
  const verdict = {
    identity: identityOf(publicKey),
    mission: '',
    hash: document.export.receipt.hash,
    ...unknownOutcome,
    proof: null,
    approvals_required: 0,
    review: null,
    recomputed: null,
    against: null,
  };
  try {
    const checked = await checkExport(document, publicKey, demands);
    const compared: Comparison =
      options.against === undefined ? { against: null, reason: null } : compare(checked.checkpoint, options.against, publicKey);
    const isBrief = options.recompute === undefined;
    const again = options.recompute === false ? notRecomputed : await recompute(checked.recomputation, { ...options, isBrief });
    const { checkpoint, mission, newest, settlement } = checked;
    const proof = checkpoint === null ? null : { size: checkpoint.size, root: checkpoint.root.toString('hex') };
    const { against } = compared;
    const source = options.source === undefined ? {} : await sourceOf(checked, options.source);
    const reason = again.reason ?? compared.reason;
    const more = {
      ...outcomeOf(document.export),
      ...checked.approval,
      ...(newest === null ? {} : { newest }),
      ...(settlement === null ? {} : { settlement }),
      ...checked.report,
      ...source,
    };
    return { ...verdict, ...again, ...more, mission, proof, against, reason, valid: again.recomputed !== false };
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    return { ...verdict, valid: false, reason: error.message };
  }
}

/** Loads what reads files only for who gives some. */
const sourceOf = async ({ recomputation: recorded }: ExportCheck, files: readonly InputFile[]): Promise<SourceVerdict> =>
  (await import('./verify-source.js')).verifySource(recorded, files);

export interface ReadExport {
  readonly export: ExportDocument;
  /** The position of the export in the text, which may hold more. */
  readonly node: JsonNode;
  readonly text: string;
  /** The report that holds the export; absent for an export by itself. */
  readonly report?: { readonly text: string; readonly embedded: EmbeddedExport };
}

/** Reads an export, or the one in a report, without judging it. @throws RefusalError for a file that cannot be read */
export function readExport(file: string): ReadExport {
  const bytes = readNamed(file, report_bytes_max);
  const text = fromUtf8(bytes);
  if (text === null)
    throw new RefusalError('malformed', `${inputName(file)} is neither an export (.json) nor an HTML report: it is not UTF-8`);
  if (isReport(text)) return exportIn(text, inputName(file));
  if (bytes.length > export_bytes_max)
    throw new RefusalError('too_large', `${inputName(file)} has more than ${export_bytes_max} bytes`);
  return parseExport(text, (fault) => ({ ...fault, detail: `${inputName(file)} is not a whole export: ${fault.detail}` }));
}

/** @throws RefusalError for a text that is no export, with what is said of its fault */
export function parseExport(text: string, say = (fault: Refusal): Refusal => fault): ReadExport {
  try {
    const node = unwrap(parseJsonNode(text, { bigIntegers: 'round' }));
    return { export: unwrap(decode(exportCodec, node.value)), node, text };
  } catch (error) {
    throw error instanceof RefusalError ? new RefusalError(say(error.refusal)) : error;
  }
}

function exportIn(text: string, name: string): ReadExport {
  const fault = (detail: string): Refusal => ({ code: 'verification_failed', detail });
  const embedded = embeddedIn(text);
  if (embedded === null)
    throw new RefusalError(fault(`${name} holds no whole export: it is a draft, was cut off, or is another page`));
  const read = parseExport(embedded.exported, ({ detail }) => fault(`the export in ${name} cannot be read: ${detail}`));
  return { ...read, report: { text, embedded } };
}

/** Checks that the readable part of a report is what its renderer makes of the export. @throws Refuted when it is not */
function checkReport({ report, export: document }: ReadExport): Pick<ExportVerdict, 'report'> {
  if (report === undefined) return {};
  const { text, embedded } = report;
  const rendered = isRendered(text, embedded, document);
  if (rendered === false)
    refute(`the report is not what renderer ${embedded.renderer} makes of its export: its text was changed`);
  return { report: rendered };
}

export interface ExportCheck {
  readonly approval: ApprovalVerdict;
  readonly report: Pick<ExportVerdict, 'report'>;
  readonly mission: string;
  readonly checkpoint: Checkpoint | null;
  /** Null for an export without the note `agent-newest/1`. */
  readonly newest: NewestVerdict | null;
  /** The receipt of the payment; null for an export without a settlement. */
  readonly settlement: ReceiptRecord | null;
  readonly recomputation: Recomputation | Refusal;
}

/** Checks an export, and of a report that its text is what the export gives. @throws Refuted with the first mismatch */
export async function checkExport(read: ReadExport, publicKey: Buffer, demands?: ApprovalDemands): Promise<ExportCheck> {
  const { export: document, node, text } = read;
  const { receipt } = document;
  const readable = node.members?.get('receipt')?.members?.get('body');
  if (document.public_key !== publicKey.toString('hex')) refute('the file names another public key');
  const signed = checkSigned(receipt, { readable, text }, publicKey);
  const result_hash = checkReview(signed, receipt.canonical_result ?? null);
  const checkpoint = proofOf(document, signed.body, publicKey);
  const newest = checkNewest(document, signed.body, checkpoint, publicKey);
  checkRequest(document, node, text, signed);
  const { mission, sequence } = signed.body;
  const settled = { settlement: document.settlement, node: node.members?.get('settlement'), text };
  const payment = checkSettlement(settled, { mission, result_hash, sequence, checkpoint }, publicKey);
  return {
    approval: await approvalVerdict(document, signed.body, demands),
    report: checkReport(read),
    mission,
    checkpoint,
    newest,
    settlement: payment,
    recomputation: recomputation(document, signed.body, result_hash),
  };
}

/**
 * Checks the top-level request. It is not signed itself: it must be the one that the signed body holds (schema 1) or hashes
 * (schema 2).
 */
function checkRequest({ request }: ExportDocument, node: JsonNode, text: string, { body, bodyText }: SignedEntry): void {
  const { document } = body;
  if (body.schema === 1) {
    const given = node.members?.get('request');
    if (given === undefined) return;
    const signed = signedNode(bodyText).members?.get('document')?.members?.get('request');
    if (signed === undefined || rebuild(given, text) !== rebuild(signed, bodyText)) refute('the request is not the signed one');
    return;
  }
  if (request === undefined) refute('the request is missing');
  if (sha256Hex(canonicalJson(request)) !== document['request_hash']) refute('the request does not match its signed hash');
  // Both members repeat the request for lists: a value that was signed from a tampered list must not replace the one in the
  // request.
  const { goal, work } = membersOf(request);
  if ('goal' in document && document['goal'] !== goal) refute('the goal is not that of the request');
  if ('kind' in document && document['kind'] !== membersOf(work)['kind']) refute('the kind is not that of the request');
}

/** Checks the entry's content; returns the hash of its result. */
function checkReview({ body, bodyText }: SignedEntry, canonicalResult: string | null): string {
  const { document } = body;
  if (body.schema === 2) {
    if (body.type !== 'mission.completed') refute(`the entry is a ${body.type}, not a completed mission`);
    if (!isUuid(body.mission)) refute('the entry is not on a mission stream');
    const event = decodeEvent(body.type, body.version, document);
    if (isRefused(event)) refute(`the entry does not decode: ${event.left.detail}`);
    else if (event.right === null) refute(`version ${body.version} of the entry is not known to this program`);
    if (canonicalJson(body) !== bodyText) refute('the signed body is not in canonical form');
  }
  if (document['state'] !== 'completed') refute('the mission is not completed');
  const resultText = rebuildMember(bodyText, ['document', 'result']);
  if (canonicalResult !== null && canonicalResult !== resultText) refute('canonical_result is not the signed result');
  const members = membersOf(document['review']);
  if (members['approved'] !== true) refute('the review did not approve the result');
  if (members['result_hash'] !== sha256Hex(resultText)) refute('the approved hash is not that of the result');
  return sha256Hex(resultText);
}

function proofOf({ proof, receipt }: ExportDocument, body: Body, publicKey: Buffer): Checkpoint | null {
  if (proof !== undefined) return checkProof(proof, { ...receipt, sequence: body.sequence }, publicKey);
  return body.schema === 2 ? refute('the proof of inclusion is missing') : null;
}

/** Checks the note that the entry is the newest of its mission; returns what it says, or null where there is none. */
function checkNewest(
  { newest, receipt: { hash } }: ExportDocument,
  { mission: stream, sequence }: Body,
  checkpoint: Checkpoint | null,
  publicKey: Buffer,
): NewestVerdict | null {
  if (newest === undefined) return null;
  const count = checkpoint === null ? null : openNewest(newest, publicKey, checkpoint, { stream, sequence, hash });
  return count === null ? refute('the note of the newest entry is not one of this entry, checkpoint and key') : { count };
}

function recomputation(document: ExportDocument, body: Body, result_hash: string): ExportCheck['recomputation'] {
  if (body.schema === 1) return { code: 'engine_unavailable', detail: 'the result was made by the reference agent' };
  return { request: document.request, document: body.document, result_hash };
}

interface Comparison {
  readonly against: boolean | null;
  readonly reason: string | null;
}
const untold = (cause: string, told: string): Comparison => ({
  against: null,
  reason: `${cause}, so this file alone cannot tell; the issuer can, with agent-cli ${told}`,
});

/**
 * Compares the export's checkpoint with the given one: true when both are of one log, null when only the journal could decide.
 * @throws Refuted when they are of different logs
 */
function compare(own: Checkpoint | null, file: string, publicKey: Buffer): Comparison {
  const note = fromUtf8(readInput(file, checkpoint_file_bytes_max));
  const other = note === null ? null : openCheckpoint(note, publicKey);
  if (other === null) throw new RefusalError('verification_failed', `${file} is not a checkpoint signed by this key`);
  if (own === null) return { against: null, reason: 'the export holds no checkpoint that could be compared' };
  if (own.origin !== other.origin) return untold('the checkpoint has another origin', 'verify --against');
  if (own.size !== other.size) return untold('the checkpoint has another size', `proof --from ${other.size}`);
  if (sameBytes(own.root, other.root)) return { against: true, reason: null };
  return refute('the export and the checkpoint are of two different logs (a fork)');
}
