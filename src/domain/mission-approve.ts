/** Decides whether a person's signature approves a mission, and how many of them complete it. */
import { approval_ms_max, type Subject } from '../base/approval.js';
import type { Refusal } from '../base/refusal.js';
import { parseTime } from '../base/time.js';
import { type Approval, type ApprovalPolicy, no_policy } from '../codec/approvals.js';
import type { Mission } from '../codec/record.js';
import type { Approver } from './approver.js';

/** Whether a policy demands anything; the kinds of one that does not are of no account. */
export const demands = ({ required, approver_is_not_requester }: ApprovalPolicy): boolean =>
  required > 0 || approver_is_not_requester;

/** Returns, member by member, the stricter of two policies. */
export function stricter(one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy {
  if (!demands(one)) return other;
  if (!demands(other)) return one;
  const kinds = one.kinds === undefined || other.kinds === undefined ? undefined : [...new Set([...one.kinds, ...other.kinds])];
  return {
    required: Math.max(one.required, other.required),
    approver_is_not_requester: one.approver_is_not_requester || other.approver_is_not_requester,
    ...(kinds === undefined ? {} : { kinds }),
  };
}

/** Returns the policy that a mission follows: the stricter of the one under which its result was produced and today's. */
export function policyOf({ policy, kind }: Pick<Mission, 'policy' | 'kind'>, today: ApprovalPolicy): ApprovalPolicy {
  const both = stricter(policy ?? no_policy, today);
  return both.kinds === undefined || both.kinds.includes(kind) ? both : no_policy;
}

/**
 * Returns how many people must approve. One more where the requester, who must be none of them, is not known, or signed before the policy said so. The
 * home alone does not complete what somebody has signed, however the policy was lowered: the signature would be counted by nothing.
 */
export function approvalsRequired({ requester, approvals }: Mission, policy: ApprovalPolicy): number {
  const { required, approver_is_not_requester } = policy;
  const mayBeOne = requester === null || approvals.some(({ approver }) => approver === requester);
  const called = required > 0 && approver_is_not_requester && mayBeOne ? required + 1 : required;
  return approvals.length === 0 ? called : Math.max(called, approvals.length + 1);
}

/** What a signature is judged against. */
export interface Signing {
  readonly approval: Approval;
  readonly subject: Subject;
  /** SHA-256 of the approval's canonical JSON. */
  readonly sha256: string;
  /** Why the signature is not one of the key over the subject, or null. */
  readonly invalid: string | null;
  /** How often the authenticator says that the key signed; 0 for one that does not count. */
  readonly counter: number;
}

/** What a home knows at the moment of a decision. */
export interface SigningFacts {
  readonly policy: ApprovalPolicy;
  readonly origin: string;
  readonly identity: string;
  readonly now: string;
  /** The approver for whom the token of the decision acts; null for any other actor. */
  readonly bound: string | null;
  /** The approver whom the subject names, as recorded; null for none. */
  readonly approver: Approver | null;
  /** The counter of the newest approval by the key; 0 without one. */
  readonly counter: number;
}

type ExpectedFacts = SigningFacts & Pick<Subject, 'request_hash' | 'result_hash'>;

/** Returns why a key cannot approve for an approver, or null. */
export function keyRefusal(approver: Approver | null, name: string, fingerprint: string): Refusal | null {
  const facts = { approver: name, key: fingerprint };
  if (approver === null)
    return { code: 'approver_unknown', detail: `there is no approver ${name}`, facts, hint: 'agent-cli approver list' };
  const key = approver.keys.find((each) => each.fingerprint === fingerprint);
  const hint = `agent-cli approver show ${name}`;
  if (key === undefined) return { code: 'key_unknown', detail: `the key ${fingerprint} is none of ${name}`, facts, hint };
  if (key.removed_at === null && approver.state === 'active') return null;
  return { code: 'key_removed', detail: `the key ${fingerprint} of ${name} was removed at ${key.removed_at}`, facts, hint };
}

/** Returns why this person cannot approve the mission, or null. */
export function personRefusal(mission: Mission, name: string, policy: ApprovalPolicy): Refusal | null {
  const facts = { approver: name };
  if (policy.approver_is_not_requester && mission.requester === name)
    return { code: 'self_approval', detail: `${name} requested mission ${mission.id} and cannot approve it`, facts };
  if (mission.approvals.some(({ approver }) => approver === name))
    return { code: 'already_approved', detail: `${name} has approved mission ${mission.id} already`, facts };
  return null;
}

/** Returns why a signature does not approve the mission, or null. The revision and the hash of the result have been compared before. */
export function signingRefusal(
  mission: Mission,
  { approval, subject, invalid, counter }: Signing,
  expected: ExpectedFacts,
): Refusal | null {
  const { approver, policy, now, counter: before } = expected;
  // WebAuthn Level 3, section 6.1.1: one that goes back, or stays, is of a copy of the key.
  const isCopy = counter + before > 0 && counter <= before;
  const fault =
    invalid ?? (isCopy ? `the counter of the passkey went from ${before} to ${counter}, as that of a copy does` : null);
  return (
    keyRefusal(approver, subject.approver, subject.key) ??
    mismatchRefusal(mission, subject, expected) ??
    ageRefusal(subject, now) ??
    personRefusal(mission, subject.approver, policy) ??
    (fault === null && approval.approver === subject.approver
      ? null
      : { code: 'signature_invalid', detail: `the signature does not approve: ${fault ?? 'it is of another approver'}` })
  );
}

function mismatchRefusal(mission: Mission, subject: Subject, expected: ExpectedFacts): Refusal | null {
  const { origin, identity, request_hash, result_hash } = expected;
  const { id, kind, revision } = mission;
  const own = { origin, identity, mission: id, kind, request_hash, revision, result_hash };
  const [name, value] =
    Object.entries(own).find(([member]) => subject[member as keyof typeof own] !== own[member as keyof typeof own]) ?? [];
  if (name === undefined) return null;
  const detail = `the signed text has another ${name} than the mission in review`;
  return { code: 'subject_mismatch', detail, facts: { [name]: value } };
}

function ageRefusal({ at, mission }: Subject, now: string): Refusal | null {
  const age_ms = parseTime(now) - parseTime(at);
  if (age_ms >= 0 && age_ms <= approval_ms_max) return null;
  const detail = `the signed text is of ${at}; its signature counts for 15 minutes from then on: sign a new one`;
  return { code: 'subject_expired', detail, hint: `agent-cli review ${mission}` };
}

/** The refusal of a decision that nobody signed where the policy calls for signatures. */
export const unsignedRefusal = ({ id }: Pick<Mission, 'id'>, required: number): Refusal => ({
  code: 'approvals_required',
  detail: `mission ${id} needs ${required === 1 ? 'the signed approval of one person' : `the signed approvals of ${required} people`}`,
  facts: { approvals_required: required },
  hint: `agent-cli review ${id} --approver NAME --sign KEYFILE`,
});
