/** Approvals by the keys of people: the text that somebody is to sign, and the record of the signature. */
import { checkApproval, readSubject, type SignedApproval, type Subject } from '../../base/approval.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { review_note_chars_max } from '../../base/limits.js';
import { invalid, type Refusal, RefusalError, validOf } from '../../base/refusal.js';
import { noteFault } from '../../base/text.js';
import { formatTime } from '../../base/time.js';
import { Refuted } from '../../base/web-crypto.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { SignedReview } from '../../codec/approvals.js';
import { type Approver, holderOf } from '../../domain/approver.js';
import { keyRefusal, personRefusal, policyOf, type Signing } from '../../domain/mission-approve.js';
import { reviewRefusal, staleRevision } from '../../domain/mission-decide.js';
import type { Mission } from '../../codec/record.js';
import { readNamed, createOutput } from '../../home/files.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { readControl } from '../../tables/control.js';
import { approvalPolicyOf } from '../home/config.js';
import type { Home } from '../home/home.js';
import { canonicalRequestHash, isOfReference } from '../reference/mission.js';
import { reviewReference } from '../reference/result.js';
import { referenceEngine } from '../../domain/mission.js';
import { requireMission } from './record.js';
import { counterOf, reviewMission, type ReviewOptions } from './review.js';

export interface SubjectOptions {
  readonly note: string;
  /** The fingerprint of the key that is to sign. */
  readonly key: string;
  /** May be left out where a single approver has the key. */
  readonly approver?: string | undefined;
  /** What the approver looked at; not compared when absent. */
  readonly revision?: number;
  readonly result_hash?: string;
}

/**
 * Returns the text that an approver is to sign within 15 minutes, as RFC 8785 JSON.
 * @throws RefusalError when the signature would be refused
 */
export function reviewSubject(home: Home, id: string, { note, key, approver, ...seen }: SubjectOptions): string {
  const fault = noteFault(note, review_note_chars_max);
  if (fault !== null) throw new RefusalError(invalid('note', fault));
  const mission = requireMission(home.db, id);
  const approvers = recordedApprovers(home.db);
  const name = approver ?? holderOf(approvers, key)?.name ?? '';
  const policy = policyOf(mission, approvalPolicyOf(home.db));
  const refusal =
    reviewRefusal(mission, readControl(home.db)) ??
    (name === '' ? keyless(key) : keyRefusal(approvers.get(name) ?? null, name, key)) ??
    personRefusal(mission, name, policy);
  if (refusal !== null) throw new RefusalError(refusal);
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
  const stale = seenRefusal(mission, seen, subject);
  if (stale !== null) throw new RefusalError(stale);
  return canonicalJson(subject);
}

/** Returns the refusal of a person who looked at another state, or null. */
function seenRefusal(mission: Mission, seen: Pick<SubjectOptions, 'revision' | 'result_hash'>, subject: Subject): Refusal | null {
  if (seen.revision !== undefined && seen.revision !== subject.revision) return staleRevision(mission, seen.revision);
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
  options: SignedOptions,
): Promise<MissionRecord> {
  const { pages = [], ...given } = options;
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
