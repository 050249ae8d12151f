/** Approvals by the keys of people: the policy of the configuration, and an approval as the journal and an export hold it. */
import type * as t from 'io-ts';
import { approvalKey, approvalKeyKind, approverTitle, base64Url, fingerprint } from './events/approver.js';
import { kind } from './kinds.js';
import { flag, integer, list, nullable, object, optional, required, text, withDefault } from './kit.js';
import { hash, id, time } from './scalars.js';

export const approvals_required_max = 5;

export const approvalPolicy = object('ApprovalPolicy', {
  /** People whose keys must sign; with 0 the home signs for whoever decides. */
  required: withDefault(integer(0, approvals_required_max), 0),
  approver_is_not_requester: withDefault(flag, false),
  /** The kinds of missions to which it applies; all of them without it. */
  kinds: optional(list(kind, 1, 100)),
});
export type ApprovalPolicy = t.TypeOf<typeof approvalPolicy>;

export const no_policy: ApprovalPolicy = { required: 0, approver_is_not_requester: false };

/** An approval: a text that the approver's key signed. */
export const approval = object('Approval', {
  approver: required(id),
  title: required(nullable(approverTitle)),
  ...approvalKey,
  subject: required(text({ max: 20_000 })),
  /** The armored text of an SSH signature, or base64url. */
  signature: required(text({ max: 8_000 })),
  authenticator_data: optional(base64Url),
  client_data: optional(base64Url),
});
export type Approval = t.TypeOf<typeof approval>;

/** An approval as a mission's record shows it. */
export const approvalSummary = object('ApprovalSummary', {
  approver: required(id),
  title: required(nullable(approverTitle)),
  fingerprint: required(fingerprint),
  kind: required(approvalKeyKind),
  at: required(time),
});
export type ApprovalSummary = t.TypeOf<typeof approvalSummary>;

/** What the completing entry says of the approvals, so that none can be left out. */
export const completingApprovals = object('CompletingApprovals', {
  /** How many the policy called for. */
  required: required(integer(0, approvals_required_max + 1)),
  approver_is_not_requester: required(flag),
  /** The approver whose token submitted the mission; null where that is not known. */
  requester: required(nullable(id)),
  /** SHA-256 of the canonical JSON of each approval. */
  sha256: required(list(hash, 1, 100)),
});

/** A subject with its signature, as the one who signed sends it. */
export const signedReviewBody = object('SignedReviewBody', {
  subject: required(text({ min: 1, max: 20_000 })),
  /** Of an SSH key. */
  signature: optional(text({ min: 1, max: 8_000 })),
  /** Of a passkey. */
  assertion: optional(
    object('Assertion', {
      authenticator_data: required(base64Url),
      client_data: required(base64Url),
      signature: required(base64Url),
    }),
  ),
});
export type SignedReview = t.TypeOf<typeof signedReviewBody>;
