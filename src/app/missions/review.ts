/**
 * The human decision. The result is verified again before an approval is recorded; recording archives it and does nothing else.
 * An approval uses the tools that verify the result. A rejection uses none, so that it is possible whatever their status.
 */
import { checkApproval, readSubject, type SignedApproval, type Subject } from '../../base/approval.js';
import { review_note_chars_max } from '../../base/limits.js';
import { invalid, isRefused, type Refusal, RefusalError, refuse, validOf } from '../../base/refusal.js';
import { noteFault } from '../../base/text.js';
import type { MissionRecord, ReviewBody } from '../../codec/api-missions.js';
import type { Mission } from '../../codec/record.js';
import { keyRefusal, personRefusal, policyOf, type Signing, type SigningFacts } from '../../domain/mission-approve.js';
import { type Circumstances, decideReview, type Decision, reviewRefusal, staleRevision } from '../../domain/mission-decide.js';
import { referenceEngine } from '../../domain/mission.js';
import { toolOfKind } from '../../domain/tool-catalog.js';
import { engineInput } from '../../kinds/engine-input.js';
import { missionKind, needsSandbox } from '../../kinds/table.js';
import { isBeyondRecomputing, solverOf, verifierOf } from '../../kinds/verifiers.js';
import type { Transaction } from '../../journal/writer.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { readControl } from '../../tables/control.js';
import { newestApprovalBy } from '../../tables/missions.js';
import { approverOf } from '../../tables/tokens.js';
import { engineFor } from '../code/engine.js';
import { requireCode } from '../code/sandbox.js';
import { approvalPolicyOf } from '../home/config.js';
import type { Home } from '../home/home.js';
import { canonicalRequestHash, isOfReference } from '../reference/mission.js';
import { reviewReference } from '../reference/result.js';
import type { RunEngine } from '../threads/engine-thread.js';
import { stoppedTool, toolWarnings } from '../tools/tools.js';
import { change } from './missions.js';
import { verifyingTools } from './lease.js';
import type { StoredResult } from './record.js';
import { circumstances, missionRecord, requestTextOf, requireMission, requireRequest, storedResult } from './record.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { formatTime } from '../../base/time.js';
import { Refuted } from '../../base/web-crypto.js';
import type { SignedReview } from '../../codec/approvals.js';
import { type Approver, holderOf } from '../../domain/approver.js';
import { readNamed, createOutput } from '../../home/files.js';

export interface ReviewOptions extends ReviewBody {
  readonly actor: string;
  /** A person's signature under an approval. */
  readonly signing?: Signing | undefined;
  readonly runEngine?: RunEngine | undefined;
  /** Receives a warning when a tool that an approval uses is deprecated. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Returns a mission that can be decided now. @throws RefusalError `paused`, `wrong_state`, `not_found` */
export function requireReviewable(home: Home, id: string): MissionRecord {
  const mission = requireMission(home.db, id);
  const refusal = reviewRefusal(mission, readControl(home.db));
  if (refusal !== null) throw new RefusalError(refusal);
  return missionRecord(home, mission);
}

type DecisionFacts = Pick<Decision, 'failure' | 'canonical_hash' | 'completed' | 'recomputed'>;

/**
 * The failure of a mission that was not in the reviewed state when it was read. If it reaches that state meanwhile, it is still
 * not approved without verification.
 */
const notReverified = 'the mission changed during the review';

export async function reviewMission(home: Home, id: string, given: ReviewOptions): Promise<MissionRecord> {
  const { runEngine, onWarning, signing = null, ...options } = given;
  const fault = noteFault(options.note, review_note_chars_max);
  if (fault !== null) throw new RefusalError(invalid('note', fault));
  const mission = requireMission(home.db, id);
  const stored = storedResult(home.db, mission);
  const isCurrent = mission.state === 'review' && mission.revision === options.revision;
  const { approve } = options;
  const isVerified = mission.engine?.name !== referenceEngine.name;
  const used = isVerified ? verifyingTools(mission.kind) : [toolOfKind(mission.kind)];
  const tools = approve ? used : [];
  const stopped = isCurrent ? stoppedTool(home.db, tools) : null;
  const run = runEngine ?? engineFor(home, mission.kind);
  const judged =
    isCurrent && stopped === null
      ? await judge(home, mission, stored, approve ? run : null)
      : { failure: notReverified, completed: completedBy(mission, stored, mission.request_hash) };
  let warnings: readonly string[] = [];
  const reviewed = await change(home, id, (tx, current) => {
    const now = circumstances(tx, options.actor);
    const signingFacts = approve ? signingFactsOf(home, tx, current, now, signing) : null;
    const events = decideReview(current, { ...options, ...judged, signing, signingFacts }, now);
    // The mission's state comes first: the tools are checked only for an approval that nothing else refuses.
    if (isRefused(events) && events.left.code !== 'verification_failed') return events;
    const refusal = stopped ?? stoppedTool(tx.db, tools);
    if (refusal === null) warnings = tools.flatMap((tool) => toolWarnings(tx.db, tool));
    return refusal === null ? events : refuse(refusal);
  });
  for (const warning of warnings) onWarning?.(warning);
  return reviewed;
}

/** Returns what a signature, or its absence, is judged by at this moment. */
const signingFactsOf = (
  { writer, signer }: Home,
  { db }: Transaction,
  mission: Mission,
  { now, actor }: Circumstances,
  signing: Signing | null,
): SigningFacts => ({
  policy: policyOf(mission, approvalPolicyOf(db)),
  origin: writer.origin,
  identity: signer.identity,
  now,
  bound: approverOf(db, actor),
  approver: signing === null ? null : (recordedApprovers(db).get(signing.subject.approver) ?? null),
  counter: signing === null ? 0 : counterOf(newestApprovalBy(db, signing.subject.key)),
});

/** Returns how often an authenticator says that the key of an approval signed (WebAuthn Level 3, section 6.1); 0 for an SSH key. */
export const counterOf = (approval: Pick<SignedApproval, 'authenticator_data'> | null): number => {
  const data = Buffer.from(approval?.authenticator_data ?? '', 'base64url');
  return data.length < 37 ? 0 : data.readUInt32BE(33);
};

/** Returns the data of the mission that an approval repeats; `request_hash` is that of the canonical request. */
const completedBy = (mission: Mission, stored: StoredResult | null, request_hash: string): Decision['completed'] => ({
  result: (stored?.result ?? null) as Readonly<Record<string, unknown>>,
  kind: mission.kind,
  goal: mission.goal,
  request_hash,
  ...(mission.engine === null ? {} : { engine: mission.engine }),
  ...(mission.effort === null ? {} : { effort: mission.effort }),
  warm_start: stored?.warm_start ?? null,
  parent: mission.parent,
  parent_digest: mission.parent_digest,
  ...(mission.assistant === null ? {} : { assistant: mission.assistant }),
});

/**
 * Judges whether the result is valid now, under its own hash; a result of the reference agent under the hash of its text.
 * @param run null for a rejection, for which no engine runs
 */
async function judge(home: Home, mission: Mission, stored: StoredResult | null, run: RunEngine | null): Promise<DecisionFacts> {
  if (mission.engine?.name === referenceEngine.name) {
    const { failure, canonical_hash, request_hash } = reviewReference(home.db, mission);
    const completed = completedBy(mission, stored, request_hash ?? mission.request_hash);
    const source = mission.result_hash === null ? {} : { source_result_hash: mission.result_hash };
    return { failure, canonical_hash, completed: { ...completed, ...source } };
  }
  const failure = run === null ? null : await reverify(home, mission, stored, run);
  const foreign = isOfReference(home.db, mission) ? canonicalRequestHash(home.db, mission) : null;
  const judged = { failure, completed: completedBy(mission, stored, foreign ?? mission.request_hash) };
  return isBeyondRecomputing(mission.kind, mission.engine) ? { ...judged, recomputed: null } : judged;
}

/** Returns why the result is not valid now, or null. */
async function reverify(home: Home, mission: Mission, stored: StoredResult | null, run: RunEngine): Promise<string | null> {
  const { solver } = missionKind(mission.kind);
  const { engine: made, kind } = mission;
  const { engine } = solver;
  const current = made !== null && made.name === engine.name && made.version === engine.version;
  if (made === null || !(needsSandbox(kind) ? current : verifierOf(solverOf(kind), made) !== null)) {
    return `it was made by ${made?.name ?? 'an unknown engine'} ${made?.version ?? ''}, this program has ${engine.name} ${engine.version}`;
  }
  const request = requireRequest(home.db, mission);
  const { result, warm_start } = stored ?? { result: null, warm_start: null };
  const input = engineInput(request, mission.effort ?? { max_evaluations: 1 }, warm_start);
  if (needsSandbox(kind)) await requireCode(home, false);
  const requestText = needsSandbox(kind) ? requestTextOf(home.db, mission) : undefined;
  const answer = await run({ type: 'verify', kind, input, requestText, result, made });
  if (answer.type !== 'verified') return 'the verifier returned nothing';
  if (answer.result_hash !== mission.result_hash) return 'the stored result does not match its recorded hash';
  return answer.verification.passed ? null : (answer.verification.failure ?? 'a check failed');
}

// Approvals by the keys of people: the text that somebody is to sign, and the record of the signature.

export interface SubjectOptions {
  readonly note: string;
  /** The fingerprint of the key that is to sign. */
  readonly key: string;
  /** May be left out where a single approver has the key. */
  readonly approver?: string | undefined;
  /** Whether ssh-keygen is to sign it, which no passkey does. */
  readonly isSsh?: boolean;
  /** What the approver looked at; not compared when absent. */
  readonly revision?: number;
  readonly result_hash?: string;
}

/**
 * Returns the text that an approver is to sign within 15 minutes, as RFC 8785 JSON.
 * @throws RefusalError when the signature would be refused
 */
export function reviewSubject(home: Home, id: string, options: SubjectOptions): string {
  const { note, key, approver, isSsh = false, revision } = options;
  const fault = noteFault(note, review_note_chars_max);
  if (fault !== null) throw new RefusalError(invalid('note', fault));
  const mission = requireMission(home.db, id);
  const approvers = recordedApprovers(home.db);
  const name = approver ?? holderOf(approvers, key)?.name ?? '';
  const policy = policyOf(mission, approvalPolicyOf(home.db));
  const refusal =
    (revision === undefined || revision === mission.revision ? null : staleRevision(mission, revision)) ??
    reviewRefusal(mission, readControl(home.db)) ??
    (name === '' ? keyless(key) : keyRefusal(approvers.get(name) ?? null, name, key)) ??
    personRefusal(mission, name, policy);
  if (refusal !== null) throw new RefusalError(refusal);
  if (isSsh && approvers.get(name)?.keys.some(({ fingerprint, kind }) => fingerprint === key && kind === 'passkey'))
    throw new RefusalError('invalid', `the key ${key} is a passkey, which signs in the console`, { hint: 'agent-cli serve' });
  const isReference = mission.engine?.name === referenceEngine.name;
  const judged = isReference ? reviewReference(home.db, mission) : null;
  const foreign = isOfReference(home.db, mission) ? canonicalRequestHash(home.db, mission) : null;
  const subject: Subject = {
    schema: 'agent-cli-approval/1',
    origin: home.writer.origin,
    identity: home.signer.identity,
    mission: id,
    kind: mission.kind,
    request_hash: judged?.request_hash ?? foreign ?? mission.request_hash,
    revision: mission.revision,
    result_hash: judged?.canonical_hash ?? mission.result_hash ?? '',
    decision: 'approve',
    note,
    approver: name,
    key,
    at: formatTime(home.world.clock()),
  };
  const other = resultRefusal(mission, options, subject);
  if (other !== null) throw new RefusalError(other);
  return canonicalJson(subject);
}

/** Returns the refusal of a person who looked at another result, or null. */
function resultRefusal(mission: Mission, seen: Pick<SubjectOptions, 'result_hash'>, subject: Subject): Refusal | null {
  const hashes = [subject.result_hash, mission.result_hash];
  if (seen.result_hash === undefined || hashes.includes(seen.result_hash)) return null;
  const detail = `the result hash of revision ${mission.revision} is ${subject.result_hash}`;
  return { code: 'hash_mismatch', detail, facts: { result_hash: subject.result_hash } };
}

const keyless = (key: string): Refusal => ({
  code: 'key_unknown',
  detail: `no approver has the key ${key}`,
  facts: { key },
  hint: 'agent-cli approver list',
});

type SignedOptions = Pick<ReviewOptions, 'actor' | 'runEngine' | 'onWarning'> & {
  /** The origins of pages on which passkeys may sign. */
  readonly pages?: readonly string[];
};

/** Records a signed approval; the one that the policy still needed completes the mission in the same commit. */
export async function approveSigned(
  home: Home,
  id: string,
  signed: SignedReview,
  { pages = [], ...given }: SignedOptions,
): Promise<MissionRecord> {
  const subject = await validOf('subject', () => readSubject(signed.subject));
  const signing = await signingOf(signed, subject, recordedApprovers(home.db).get(subject.approver) ?? null, pages);
  const { revision, result_hash, note } = subject;
  if (subject.mission !== id) {
    const detail = 'the signed text is for another mission';
    throw new RefusalError('subject_mismatch', detail, { facts: { mission: subject.mission } });
  }
  return await reviewMission(home, id, { ...given, revision, result_hash, note, approve: true, signing });
}

/** Checks the signature by the approver's key, if there is one: whether that may approve is decided where the event is made. */
async function signingOf(
  signed: SignedReview,
  subject: Subject,
  approver: Approver | null,
  pages: readonly string[],
): Promise<Signing> {
  const { kind, key, fingerprint } = approver?.keys.find((each) => each.fingerprint === subject.key) ?? no_key;
  const { signature, ...more } = signed.assertion ?? { signature: signed.signature ?? '' };
  const approval: SignedApproval = {
    approver: subject.approver,
    title: approver?.title ?? null,
    kind,
    key,
    fingerprint,
    subject: signed.subject,
    signature,
    ...more,
  };
  const sha256 = sha256Hex(canonicalJson(approval));
  const signing = { approval, subject, sha256, counter: counterOf(approval) };
  try {
    const { page } = await checkApproval(approval);
    const isElsewhere = page !== null && !pages.includes(page);
    return { ...signing, invalid: isElsewhere ? `it was made on the page ${page}, not on ${pages.join(' or ')}` : null };
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    return { ...signing, invalid: error.message };
  }
}

const no_key = { kind: 'ssh', key: '', fingerprint: '' } as const;

const signed_file_bytes_max = 65_536;

/** Reads what was signed elsewhere and its signature, from files. Mail and clipboards change the ends of the signature's lines. */
export const readSigned = (subject: string, signature: string): SignedReview => ({
  subject: readNamed(subject, signed_file_bytes_max).toString('utf8'),
  signature: `${readNamed(signature, signed_file_bytes_max).toString('utf8').trim().replaceAll('\r\n', '\n')}\n`,
});

/** Writes what is to be signed into a new file. */
export const writeSubject = (file: string, subject: string): void => createOutput(file, subject);
