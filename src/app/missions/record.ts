/** A mission's record: its request, result, entries and payments, as commands print them, and what is recorded on its stream. */
import { canonicalJson } from '../../base/canonical-json.js';
import { Fault, isRefused, RefusalError, type Result, unwrap } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import { formatTime } from '../../base/time.js';
import type { InvoiceRecord, ReceiptRecord } from '../../codec/api-invoices.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import { environmentOf, inTokens, paymentUri } from '../../codec/chain.js';
import { inference } from '../../codec/chat-completion.js';
import type { Entry } from '../../codec/entry.js';
import type { Event } from '../../codec/event.js';
import { decode } from '../../codec/kit.js';
import type { Mission, Stage } from '../../codec/record.js';
import { type Invoice, isOverdue, type Receipt } from '../../domain/invoice.js';
import { type Circumstances, decideInterrupted } from '../../domain/mission-decide.js';
import { approvalsRequired, policyOf } from '../../domain/mission-approve.js';
import { changesBetween } from '../../domain/request-changes.js';
import { type MissionEvent, missionStream } from '../../domain/mission.js';
import { integrityFailure, readBlob, requireEntry } from '../../journal/reader.js';
import { recordEvents } from '../../journal/stream.js';
import type { Transaction } from '../../journal/writer.js';
import { estimateOf, evaluationsOf, isEstimated } from '../../kinds/effort.js';
import { type MissionRequest, missionRequest } from '../../kinds/request.js';
import { isBeyondRecomputing } from '../../kinds/verifiers.js';
import { unsignedText } from '../../base/approval.js';
import { no_policy } from '../../codec/approvals.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { tolerating } from '../../tables/compare.js';
import { readControl } from '../../tables/control.js';
import { newestInvoice } from '../../tables/invoices.js';
import { missionReceipt } from '../../tables/receipts.js';
import { missionsWithPrefix, placeInQueue, readMission, runningMissions } from '../../tables/missions.js';
import { readStream } from '../../tables/read.js';
import type { Db } from '../../store/database.js';
import { removeFreeOwnerLock } from '../../store/owner-lock.js';
import { type IdKind, idNamed } from '../../base/id-prefix.js';
import { approvalPolicyOf, configOrNull } from '../home/config.js';
import type { Home } from '../home/home.js';
import { isOfReference, referenceRequestText, requireReferenceRequest } from '../reference/mission.js';
import { onBallast } from '../home/recording.js';
import { type InHome, isLiveIn, lockedAttempts, lockFile, progressOf } from './ownership.js';

export const uuids: Omit<IdKind, 'noun' | 'hint'> = {
  full: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  part: /^[0-9a-f-]+$/,
  form: 'a UUID',
};

export const isUuid = (text: string): boolean => uuids.full.test(text);

export function requireMission(db: Db, id: string): Mission {
  if (!isUuid(id))
    throw new RefusalError('invalid', 'a mission id is a UUID in lower case', {
      errors: [{ path: 'mission', message: 'must be a UUID in lower case' }],
    });
  const mission = readMission(db, id);
  if (mission === null) throw new RefusalError('not_found', `there is no mission ${id}`, { hint: 'agent-cli list' });
  return mission;
}

/**
 * Parses a blob of a mission; null when it was erased. Its bytes are the canonical text that a signed entry names by its hash, so the
 * platform's parser is safe.
 * @throws RefusalError `integrity` for a blob that is missing although no entry erases it
 */
function blobJson(db: Db, { id, erased }: Mission, hash: string): unknown {
  const bytes = readBlob(db, hash);
  if (bytes !== null) return JSON.parse(bytes.toString('utf8'));
  if (erased) return null;
  const detail = `blob ${hash.slice(0, 16)} of mission ${id} is missing, and no entry erases it`;
  throw new RefusalError('integrity', detail, { hint: 'agent-cli verify' });
}

/**
 * Returns the request as it was queued, with its defaults filled in (the reference agent's unchanged); null when it was erased.
 */
export function storedRequest(db: Db, mission: Mission): unknown {
  const { event } = requireEntry(db, mission.request_seq);
  if (event?.type === 'reference.mission') return event.document.snapshot['request'];
  if (event?.type !== 'mission.submitted')
    throw integrityFailure('the request is not where the mission says', mission.request_seq);
  const { request, request_blob } = event.document;
  return request ?? (request_blob === undefined ? null : blobJson(db, mission, request_blob));
}

/**
 * Returns the decoded request, which matches its recorded hash.
 * @throws RefusalError when it was erased, altered or is not valid here
 */
export function requireRequest(db: Db, mission: Mission): MissionRequest {
  if (isOfReference(db, mission)) return requireReferenceRequest(db, mission);
  const stored = storedRequest(db, mission);
  if (stored === null) throw new RefusalError('wrong_state', `the input of mission ${mission.id} was erased`);
  if (sha256Hex(canonicalJson(stored)) !== mission.request_hash)
    throw integrityFailure('the request does not match its hash', mission.request_seq);
  return unwrap(decode(missionRequest, stored));
}

/** Returns the JSON text of a request that `requireRequest` returned: the reference agent's own, else its canonical form. */
export const requestTextOf = (db: Db, mission: Mission): string =>
  isOfReference(db, mission) ? referenceRequestText(db, mission) : canonicalJson(storedRequest(db, mission));

export type StoredResult = Readonly<Record<'result' | 'solution' | 'warm_start', unknown>>;

/** Returns the newest result with its seed; null before there is one; `result` is null after erasure. */
export function storedResult(db: Db, mission: Mission): StoredResult | null {
  if (mission.result_seq === 0) return null;
  const { event } = requireEntry(db, mission.result_seq);
  if (event?.type === 'reference.mission')
    return { result: event.document.snapshot['result'] ?? null, solution: null, warm_start: null };
  if (event?.type !== 'mission.produced') throw integrityFailure('the result is not where the mission says', mission.result_seq);
  const { result, result_blob, solution, warm_start } = event.document;
  return { result: result ?? (result_blob === undefined ? null : blobJson(db, mission, result_blob)), solution, warm_start };
}

type RecordSources = Pick<Home, 'db' | 'paths' | 'world' | 'isReference' | 'queueReason' | 'config'>;

/** Returns what was changed of the request of the mission that this one was made from. */
function changesSince(db: Db, id: string, request: unknown): Pick<MissionRecord, 'changes'> {
  const before = tolerating(db, () => storedRequest(db, requireMission(db, id)));
  if (before === null || request === null) return {};
  return { changes: changesBetween(before, request).filter(({ path }) => !path.startsWith('provenance.changed')) };
}

/** Returns the place of a mission in the queue of executions, and why it cannot start. */
function placeOf({ db, queueReason }: RecordSources, mission: Mission): Pick<MissionRecord, 'queue_position' | 'queue_reason'> {
  const reason = queueReason?.(mission.id) ?? null;
  return { queue_position: placeInQueue(db, mission), ...(reason === null ? {} : { queue_reason: reason }) };
}

/** Returns how long the search of a queued mission will take. */
function estimateMember(home: RecordSources, { kind }: Mission, request: unknown): Pick<MissionRecord, 'estimate'> {
  const config = configOrNull(home);
  if (config === null || typeof request !== 'object' || request === null) return {};
  const { effort } = request as Partial<Pick<MissionRequest, 'effort'>>;
  const estimate = estimateOf(kind, evaluationsOf(effort, config));
  return estimate === null ? {} : { estimate };
}

/**
 * Returns the record. Where damage is tolerated, a request or a result that cannot be read is null.
 * @param given the stored request, where it was recorded just now
 */
export function missionRecord(home: RecordSources, mission: Mission, given?: unknown): MissionRecord {
  const { db } = home;
  const {
    request_seq: _1,
    result_seq: _2,
    ids_hash: _3,
    blobs: _4,
    leased_at: _5,
    assistant,
    requester: _6,
    policy: _7,
    approvals: _8,
    approved_seq: _9,
    ...shown
  } = mission;
  const { review, state, kind, engine } = mission;
  const payments = state === 'completed' ? paymentsOf(home, mission) : { invoice: null, receipt: null };
  const request = given ?? tolerating(db, () => storedRequest(db, mission));
  const isNotRecomputed = review?.recomputed === null || (state === 'review' && isBeyondRecomputing(kind, engine));
  return {
    ...shown,
    ...(assistant === null ? {} : { assistant }),
    request,
    result: tolerating(db, () => storedResult(db, mission))?.result ?? null,
    inference: inferenceOf(mission),
    ...(isNotRecomputed ? { recomputed: null } : {}),
    ...approvalsOf(db, mission),
    ...(mission.derived_from === null ? {} : changesSince(db, mission.derived_from, request)),
    ...payments,
    stages: payments.receipt === null ? mission.stages : withRevenue(mission.stages, payments.receipt),
    ...(state === 'running' ? progressOf(home, mission) : {}),
    ...(mission.execution_request === null ? {} : placeOf(home, mission)),
    ...(state === 'queued' && isEstimated(kind) ? estimateMember(home, mission, request) : {}),
  };
}

/** Returns who has approved a result by a key and how many must, or what the home's word for an approval is worth. */
function approvalsOf(db: Db, mission: Mission): Pick<MissionRecord, 'approvals' | 'approvals_required' | 'unsigned'> {
  const { state, review } = mission;
  const isOpen = state === 'review';
  const policy = tolerating(db, () => (isOpen ? policyOf(mission, approvalPolicyOf(db)) : mission.policy)) ?? no_policy;
  const required = isOpen ? approvalsRequired(mission, policy) : state === 'completed' ? policy.required : 0;
  if (required === 0 && mission.approvals.length === 0)
    return review?.approved === true ? { unsigned: unsignedText(review.actor) } : {};
  const approvers = recordedApprovers(db);
  const approvals = mission.approvals.map(({ sha256: _1, ...approval }) => {
    const key = approvers.get(approval.approver)?.keys.find(({ fingerprint }) => fingerprint === approval.fingerprint);
    return { ...approval, ...(typeof key?.removed_at === 'string' ? { key_removed_at: key.removed_at } : {}) };
  });
  return { approvals, approvals_required: required };
}

/** Returns the record of the model's call that the attempt's stages hold, or null. The result may have been erased. */
function inferenceOf({ stages }: Mission): MissionRecord['inference'] {
  const recorded = stages.find(({ role }) => role === 'strategy')?.detail['inference'];
  if (recorded === undefined) return null;
  const decoded = decode(inference, recorded);
  return isRefused(decoded) ? null : decoded.right;
}

export interface Completion {
  readonly entry: Entry;
  /** Number of the mission's entries up to it. */
  readonly count: number;
  /** Whether it is the newest of them. */
  readonly isNewest: boolean;
}

/** Returns the entry that completed a mission; null when none did. */
export function completionOf(db: Db, id: string): Completion | null {
  const entries = readStream(db, missionStream.nameOf(id));
  const at = entries.findLastIndex(({ event }) => isCompletion(event));
  const entry = entries[at];
  return entry === undefined ? null : { entry, count: at + 1, isNewest: at === entries.length - 1 };
}

const isCompletion = (event: Event | null): boolean =>
  event?.type === 'mission.completed' ||
  (event?.type === 'reference.mission' && event.document.snapshot['state'] === 'completed');

export const circumstances = (tx: Transaction, actor: string): Circumstances => ({
  control: readControl(tx.db),
  now: formatTime(tx.now),
  actor,
});

/** Records a decision's events on a mission's stream and returns the mission in its new state. */
export function record(tx: Transaction, id: string, events: Result<readonly MissionEvent[]>): Mission {
  recordEvents(tx, missionStream, id, events);
  const mission = readMission(tx.db, id);
  if (mission === null) throw new Fault(`mission ${id} has no state after its events`);
  return mission;
}

export function invoiceRecord({ world }: Pick<Home, 'world'>, invoice: Invoice): InvoiceRecord {
  const { issued_seq: _1, revision: _2, ...shown } = invoice;
  const { chain_id, recipient, amount_units } = shown;
  return {
    ...shown,
    state: isOverdue(invoice, formatTime(world.clock())) ? 'expired' : shown.state,
    amount: inTokens(amount_units),
    environment: environmentOf(chain_id),
    uri: paymentUri(chain_id, recipient, amount_units),
  };
}

export const receiptRecord = ({ key: _1, revision: _2, actor: _3, ...shown }: Receipt): ReceiptRecord => shown;

/** Returns the newest invoice and the receipt of a completed mission; no other has any. */
function paymentsOf(home: Pick<Home, 'db' | 'world'>, { id }: Mission) {
  const invoice = tolerating(home.db, () => newestInvoice(home.db, id));
  const receipt = tolerating(home.db, () => missionReceipt(home.db, id));
  return {
    invoice: invoice === null ? null : invoiceRecord(home, invoice),
    receipt: receipt === null ? null : receiptRecord(receipt),
  };
}

/** Returns the stages with the revenue that a receipt proves. The recorded stage of the market is older than any payment. */
function withRevenue(stages: readonly Stage[], receipt: ReceiptRecord): readonly Stage[] {
  const { amount_units, token, chain_id, environment } = receipt;
  const realized_revenue = { amount: inTokens(amount_units), amount_units, token, chain_id, environment };
  return stages.map((stage) =>
    stage.role === 'market' ? { ...stage, detail: { ...stage.detail, realized_revenue, token_settlement: 'recorded' } } : stage,
  );
}

// Records the missions whose process has ended as interrupted. Nothing is retried by itself: `recover` queues them again.

/** Returns the running missions on which no process works. @param only the mission to look at; all when absent */
const interruptedMissions = (home: InHome, db: Db, now_ms: number, only?: string): Mission[] =>
  (only === undefined ? runningMissions(db) : [readMission(db, only)]).flatMap((mission) =>
    mission?.state !== 'running' || isLiveIn(home, mission, formatTime(now_ms)) ? [] : [mission],
  );

/**
 * Fails each running mission, or only one, on which no process works, with `interrupted`, also while paused, and returns them. Deletes the lock
 * files that ended attempts have left.
 * @throws RefusalError when that cannot be recorded now
 */
export async function failInterrupted(home: Home, only?: string): Promise<readonly Mission[]> {
  const found = interruptedMissions(home, home.db, home.world.clock(), only).length > 0;
  const failed = found
    ? await onBallast(home, () =>
        home.transact((tx) =>
          interruptedMissions(home, tx.db, tx.now, only).map((mission) => record(tx, mission.id, decideInterrupted(mission))),
        ),
      )
    : [];
  sweepLocks(home);
  return failed;
}

/** Deletes the lock files of attempts that have ended: a process was killed before it could. */
function sweepLocks({ paths, db }: Pick<Home, 'paths' | 'db'>): void {
  for (const attempt of lockedAttempts(paths)) {
    const mission = readMission(db, attempt.id);
    // That of a queued mission may be about to be locked for a lease. One that a killed process left is taken by the next lease.
    const isOfNow = mission?.attempt === attempt.attempt && (mission.state === 'running' || mission.state === 'queued');
    if (!isOfNow) removeFreeOwnerLock(lockFile(paths, attempt));
  }
}

export const interruptedWarning = (id: string): string =>
  `mission ${id} was interrupted: its process ended; queue it again with: agent-cli recover ${id}`;

// Finds the mission that a person names by its id or by the beginning of it.

/** Returns the id of the only mission that begins with `given`, the value of a member. @throws RefusalError `invalid`, `not_found` */
export const missionNamed = (db: Db, given: string, member = 'mission'): string =>
  idNamed({ ...uuids, noun: 'mission', member, hint: 'agent-cli list' }, given, (prefix, limit) =>
    missionsWithPrefix(db, prefix, limit).map(({ id, goal, erased }) => ({ id, text: erased ? 'erased' : goal })),
  );
