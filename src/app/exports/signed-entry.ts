/**
 * Checks the journal entries of an export: hash, signature and identity, readable copy, place in the log; and the settlement that one of them
 * records, apart from whether the chain still has the payment, which is for `verify-receipt`. A readable copy may have other spacing and order; its numbers are compared as
 * they are written, never after a conversion that could round them.
 */
import { fromBase64, sha256Hex } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { invalid, isRefused, RefusalError } from '../../base/refusal.js';
import { Refuted } from '../../base/web-crypto.js';
import type { ReceiptRecord } from '../../codec/api-invoices.js';
import { earmarkOf, environmentOf, tokenAddress } from '../../codec/chain.js';
import { type Body, decodeBody } from '../../codec/entry.js';
import { decodeEvent } from '../../codec/event.js';
import type { ReceiptEvidence } from '../../codec/events/invoice.js';
import type { ExportDocument } from '../../codec/export.js';
import { receiptStream, transferKey } from '../../domain/invoice.js';
import { identityOf, verifySignature } from '../../journal/keys.js';
import { sameBytes } from '../../journal/merkle.js';
import type { Checkpoint } from '../../journal/note.js';
import { openProof, readProof } from '../../journal/proof.js';
import { leafOf } from '../../journal/tree.js';
import { type ApprovalDemands, type ApprovedEntry, checkApprovals, checkApprovers } from '../../base/approval-evidence.js';
import { readKey, unsignedText } from '../../base/approval.js';
import type { ApprovalSummary } from '../../codec/approvals.js';
import { readInput } from '../../home/files.js';
import { reviewTime } from '../../reports/report.js';

/** Checks `body`, which repeats canonical_body for readers: what people read must be what was signed. */
function checkReadableCopy(readable: JsonNode | undefined, text: string, bodyText: string, number: PrintNumber): void {
  const signed = rebuild(signedNode(bodyText), bodyText, number);
  if (signed !== rebuild(readable, text, number)) refute('the readable body is not the signed one');
}

export function signedNode(bodyText: string): JsonNode {
  const parsed = parseJsonNode(bodyText, { bigIntegers: 'round' });
  return isRefused(parsed) ? refute('the signed body is not strict JSON') : parsed.right;
}

/** Returns the text of a member exactly as in a canonical document. */
export function rebuildMember(bodyText: string, path: readonly string[]): string {
  let node: JsonNode | undefined = signedNode(bodyText);
  for (const step of path) node = node?.members?.get(step);
  return node === undefined ? refute(`the body has no ${path.join('.')}`) : bodyText.slice(node.start, node.end);
}

type PrintNumber = (node: JsonNode, text: string) => string;
const asWritten: PrintNumber = ({ start, end }, text) => text.slice(start, end);
/** Numbers of this program are doubles in any spelling; an integer that a double may have rounded counts as it is written. */
const asComputed: PrintNumber = (node, text) =>
  Number.isInteger(node.value) && !Number.isSafeInteger(node.value) ? asWritten(node, text) : canonicalJson(node.value);

/**
 * Returns canonical text from a document that has other spacing or order. By default, number tokens stay as they are in the file.
 */
export function rebuild(node: JsonNode | undefined, text: string, number: PrintNumber = asWritten): string {
  if (node === undefined) return refute('the body is missing');
  if (node.members !== null) {
    const members = [...node.members].toSorted(([a], [b]) => compareCodePoints(a, b));
    return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${rebuild(value, text, number)}`).join(',')}}`;
  }
  if (node.items !== null) return `[${node.items.map((item) => rebuild(item, text, number)).join(',')}]`;
  return typeof node.value === 'number' ? number(node, text) : JSON.stringify(node.value);
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return Buffer.compare(left, right);
}

/** @throws Refuted */
export const refute = (reason: string): never => {
  throw new Refuted(reason);
};

interface Signature {
  readonly hash: string;
  readonly signature: string;
}

export interface SignedEntry {
  readonly body: Body;
  /** The text that was signed. */
  readonly bodyText: string;
}

/** Checks that the key signed an entry of its own journal, and that the readable copy in the text of the file says the same. @throws Refuted */
export function checkSigned(
  { canonical_body, hash, signature }: Signature & { readonly canonical_body?: string | undefined },
  { readable, text }: { readonly readable: JsonNode | undefined; readonly text: string },
  publicKey: Buffer,
): SignedEntry {
  const bodyText = canonical_body ?? rebuild(readable, text);
  if (sha256Hex(bodyText) !== hash) refute('the hash is not that of the body');
  const signed = fromBase64(signature);
  if (signed === null || !verifySignature(publicKey, Buffer.from(hash, 'hex'), signed)) refute('the signature does not verify');
  const body = decodeBody(bodyText);
  if (isRefused(body)) return refute(`the body does not decode: ${body.left.detail}`);
  if (body.right.identity !== identityOf(publicKey)) refute('the body names another identity');
  checkReadableCopy(readable, text, bodyText, body.right.schema === 1 ? asWritten : asComputed);
  return { body: body.right, bodyText };
}

/** Checks a proof of inclusion of the entry with this sequence; returns the checkpoint to which it leads. @throws Refuted */
export function checkProof(
  text: string,
  { sequence, hash, signature }: Signature & { readonly sequence: number },
  publicKey: Buffer,
): Checkpoint {
  const proof = readProof(text);
  if (proof === null) return refute('the proof of inclusion is malformed');
  if (proof.index !== sequence - 1) refute('the proof is for another entry');
  const checkpoint = openProof(proof, leafOf(hash, signature), publicKey);
  return checkpoint ?? refute('the proof of inclusion does not lead to a checkpoint that this key signed');
}

interface SettlementPart {
  readonly settlement: ExportDocument['settlement'];
  /** The member `settlement` in the text of the file. */
  readonly node: JsonNode | undefined;
  readonly text: string;
}

/** What the export itself proves. */
interface CompletionEntry {
  readonly mission: string;
  readonly result_hash: string;
  readonly sequence: number;
  /** Null for an export of the reference agent without a proof. */
  readonly checkpoint: Checkpoint | null;
}

/** Returns the receipt of an export's settlement; null where it has none. @throws Refuted with the first mismatch */
export function checkSettlement(
  { settlement, node, text }: SettlementPart,
  completed: CompletionEntry,
  publicKey: Buffer,
): ReceiptRecord | null {
  if (settlement === undefined) return null;
  const readable = node?.members?.get('body');
  const { body, bodyText } = checkSigned(settlement, { readable, text }, publicKey);
  if (canonicalJson(body) !== bodyText) refute('the settlement is not in canonical form');
  const receipt = receiptOf(body);
  if (receipt.mission !== completed.mission || receipt.result_hash !== completed.result_hash)
    refute('the settlement is for another result');
  if (body.sequence <= completed.sequence) refute('the settlement was recorded before the result');
  const checkpoint = checkProof(settlement.proof, { ...settlement, sequence: body.sequence }, publicKey);
  if (completed.checkpoint !== null && !isSame(checkpoint, completed.checkpoint))
    refute('the settlement is proven under another checkpoint than the result');
  return receipt;
}

function receiptOf(body: Body): ReceiptRecord {
  if (body.schema !== 2 || body.type !== 'receipt.recorded') return refute('the settlement is not the entry of a receipt');
  const event = decodeEvent(body.type, body.version, body.document);
  if (isRefused(event)) return refute(`the settlement does not decode: ${event.left.detail}`);
  if (event.right?.type !== 'receipt.recorded')
    return refute(`version ${body.version} of the settlement is not known to this program`);
  const { actor: _, ...receipt } = event.right.document;
  const key = transferKey(receipt.chain_id, receipt.transaction_hash, receipt.log_index);
  if (body.mission !== receiptStream.nameOf(key)) refute('the settlement is not on the stream of its transfer');
  if (!isCoherent(receipt)) refute('the settlement contradicts itself');
  return { ...receipt, recorded_at: body.time };
}

/** Whether the members that follow from others are what follows. */
const isCoherent = (receipt: ReceiptEvidence): boolean =>
  receipt.token === tokenAddress &&
  receipt.environment === environmentOf(receipt.chain_id) &&
  receipt.earmark_units === earmarkOf(receipt.amount_units, receipt.reinvest_bps) &&
  receipt.block_number <= receipt.verified_at_block;

const isSame = (one: Checkpoint, other: Checkpoint): boolean =>
  one.origin === other.origin && one.size === other.size && sameBytes(one.root, other.root);

// Verifies the approvals of an export against the people whom the verifier knows.

const key_file_bytes_max = 8_192;
const approvals_required_max = 100;
const approverPattern = /^([^=]+)=(SHA256:[A-Za-z0-9+/]{43}|(?!SHA256:)[^]+)$/;

/** The people who must have approved, as NAME=FILE.pub or NAME=SHA256:…, and how many signed approvals there must be. */
export interface DemandOptions {
  readonly approvers?: readonly string[] | undefined;
  readonly approvalsRequired?: number | undefined;
}

/** Reads whom the verifier knows. @throws RefusalError `invalid` */
export async function demandsOf({ approvers = [], approvalsRequired = 0 }: DemandOptions): Promise<ApprovalDemands> {
  if (!Number.isInteger(approvalsRequired) || approvalsRequired < 0 || approvalsRequired > approvals_required_max)
    throw new RefusalError(invalid('approvals-required', `must be from 0 to ${approvals_required_max}`));
  const known = await Promise.all(approvers.map(knownApprover));
  return { approvers: known, required: approvalsRequired };
}

async function knownApprover(given: string): Promise<ApprovalDemands['approvers'][number]> {
  const [, name = '', key = ''] = approverPattern.exec(given) ?? [];
  if (name === '') throw new RefusalError(invalid('approver', 'must be NAME=FILE.pub or NAME=SHA256:FINGERPRINT'));
  if (key.startsWith('SHA256:')) return { name, fingerprint: key };
  const text = readInput(key, key_file_bytes_max).toString('utf8');
  try {
    return { name, fingerprint: (await readKey(text.startsWith('-----') ? 'passkey' : 'ssh', text)).fingerprint };
  } catch (error) {
    throw error instanceof Refuted ? new RefusalError(invalid('approver', `${key}: ${error.message}`)) : error;
  }
}

export type RecordedReview = Readonly<Record<'actor' | 'at' | 'note', string>>;

export interface ApprovalVerdict {
  /** Who signed with which key; absent where nobody did, or the file leaves it out. */
  readonly approvals?: readonly (ApprovalSummary & { readonly note: string })[];
  /** How many approvals the entry says were called for. */
  readonly approvals_required: number;
  readonly review: RecordedReview;
  /** What the word of the home is worth where no key of a person signed; only then. */
  readonly unsigned?: string;
}

/** @throws Refuted unless the approvals are those that the entry counts, and those that are demanded */
export async function approvalVerdict(
  { approvals, receipt }: ExportDocument,
  body: Body,
  demands: ApprovalDemands = { approvers: [], required: 0 },
): Promise<ApprovalVerdict> {
  const document = body.document as ApprovedEntry['document'];
  const time = body.schema === 2 ? body.time : '';
  const entry = { identity: body.identity, time, mission: body.mission, document };
  const { actor, note } = document.review;
  const counted = body.schema === 2 ? document.approvals : undefined;
  const isLeftOut = approvals === undefined && counted !== undefined;
  const subjects = isLeftOut ? [] : await checkApprovals(approvals ?? [], entry);
  checkApprovers(subjects, demands);
  const verified = (approvals ?? []).map(({ approver, title, fingerprint, kind }, i) => ({
    approver,
    title,
    fingerprint,
    kind,
    at: subjects[i]?.at ?? '',
    note: subjects[i]?.note ?? '',
  }));
  return {
    ...(verified.length === 0 ? {} : { approvals: verified }),
    approvals_required: counted?.required ?? 0,
    review: { actor, at: reviewTime(receipt.body), note },
    ...(counted === undefined ? { unsigned: unsignedText(actor) } : {}),
  };
}
