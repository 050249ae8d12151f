/**
 * The approvals of an export: that they are those which the signed entry counts, each signed by a key of a person for exactly this result. The same in
 * the program, in the verifier that is one file, and on its page.
 */
import { approval_ms_max, checkApproval, type SignedApproval, type Subject } from './approval.js';
import { bytesOf, check, digest } from './web-crypto.js';

/** What the signed entry of a completed mission says of its approvals. */
export interface ApprovedEntry {
  readonly identity: string;
  readonly time: string;
  readonly mission: string;
  readonly document: {
    readonly kind?: string;
    readonly request_hash?: string;
    readonly review: { readonly actor: string; readonly note: string; readonly result_hash: string };
    readonly approvals?: { readonly required: number; readonly sha256: readonly string[] };
  };
}

/** What a verifier demands of an export besides that its approvals hold. */
export interface ApprovalDemands {
  /** Those whom it knows by the fingerprints of their keys. */
  readonly approvers: readonly { readonly name: string; readonly fingerprint: string }[];
  readonly required: number;
}

/**
 * Returns what each person signed, in order.
 * @throws Refuted unless the approvals are those that the entry counts, no more and no fewer, each signed for exactly this result
 */
export async function checkApprovals(approvals: readonly SignedApproval[], entry: ApprovedEntry): Promise<readonly Subject[]> {
  const { required, sha256 } = entry.document.approvals ?? { required: 0, sha256: [] };
  check(approvals.length === sha256.length && approvals.length >= required, 'the approvals are not those that the entry counts');
  const subjects: Subject[] = [];
  for (const [i, approval] of approvals.entries()) {
    const isText = Object.entries(approval).every(
      ([name, value]) => typeof value === 'string' || (name === 'title' && value === null),
    );
    check(isText, 'an approval has a member that is no text');
    const hash = await digest('SHA-256', bytesOf(JSON.stringify(approval, Object.keys(approval).sort())));
    check(hexOf(hash) === sha256[i], 'an approval is not the one that the entry counts');
    const { subject } = await checkApproval(approval);
    checkSubject(subject, entry);
    subjects.push(subject);
  }
  const people = [subjects.map(({ approver }) => approver), subjects.map(({ key }) => key)];
  check(
    people.every((names) => new Set(names).size === names.length),
    'one person approved twice',
  );
  const last = subjects.at(-1);
  if (last === undefined) return subjects;
  const { actor, note } = entry.document.review;
  check(last.approver === actor && last.note === note, 'the reviewer or the note is not the signed one');
  const age_ms = Date.parse(entry.time) - Date.parse(last.at);
  check(age_ms >= 0 && age_ms <= approval_ms_max, 'the approval was not recorded within 15 minutes');
  return subjects;
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws Refuted unless the subject is of the entry's mission and result, in a journal of its identity */
function checkSubject(subject: Subject, { identity, mission, document }: ApprovedEntry): void {
  const { kind, request_hash, review } = document;
  const isOf = subject.mission === mission && subject.kind === kind && subject.request_hash === request_hash;
  check(isOf && subject.result_hash === review.result_hash, 'an approval is for another mission or result');
  const origin = `agent-journal/${identity.slice(-64, -48)}`;
  const isOwn =
    subject.origin === origin || (subject.origin.startsWith(`${origin}/`) && subject.origin.length === origin.length + 9);
  check(subject.identity === identity && isOwn, 'an approval is of another journal');
}

/**
 * Returns how many approved whom the verifier does not name.
 * @throws Refuted unless these people, by these keys, are among those who approved, and as many as demanded are
 */
export function checkApprovers(subjects: readonly Subject[], { approvers, required }: ApprovalDemands): number {
  const names = new Set(approvers.map(({ name }) => name));
  for (const name of names) {
    const own = subjects.find(({ approver }) => approver === name);
    check(own !== undefined, `the file holds no approval by ${name}`);
    const isKnown = approvers.some((known) => known.name === name && known.fingerprint === own.key);
    check(isKnown, `the approval by ${name} is by another key, ${own.key}`);
  }
  // Whom the verifier does not know, the issuer may have made up.
  const counted = approvers.length === 0 ? subjects.length : names.size;
  const whom = approvers.length === 0 ? '' : ' whom you name';
  check(counted >= required, `${counted} of ${required} approvals are signed by people${whom}`);
  return subjects.length - names.size;
}
