/** Approvers as the operator's HTTP API takes and returns them. */
import type * as t from 'io-ts';
import { approvalKey, approverTitle, base64Url, fingerprint } from './events/approver.js';
import { choice, list, nullable, object, optional, required, text, withDefault } from './kit.js';
import { id, time } from './scalars.js';

export const approverStates = ['active', 'removed'] as const;

const approverKeyCodec = object('ApproverKey', {
  ...approvalKey,
  /** What a browser finds a passkey by. */
  credential: optional(text()),
  added_at: required(time),
  /** Null while it is in use. */
  removed_at: required(nullable(time)),
  /** Why it was removed. */
  reason: required(nullable(text())),
});

export const approverCodec = object('Approver', {
  name: required(text()),
  title: required(nullable(text())),
  state: required(choice(...approverStates)),
  /** In the order in which they were added, removed ones too. */
  keys: required(list(approverKeyCodec, 0, 100)),
  created_at: required(time),
  changed_at: required(time),
});
export type ApproverDocument = t.TypeOf<typeof approverCodec>;

export const approverListCodec = object('ApproverList', { items: required(list(approverCodec, 0, 10_000)) });
export type ApproverList = t.TypeOf<typeof approverListCodec>;

export const approverParams = object('ApproverParams', { name: required(id) });

export const approverRemoval = object('ApproverRemoval', {
  /** The key to be removed; without it, the approver with all keys. */
  fingerprint: optional(fingerprint),
  reason: required(text({ min: 1, max: 500, notBlank: true })),
});

export const approverLinkBody = object('ApproverLinkBody', {
  name: required(id),
  title: withDefault(nullable(approverTitle), null),
});

export const approverLinkCodec = object('ApproverLink', {
  /** An address of the console; whoever opens it first registers a passkey. */
  link: required(text()),
  expires_at: required(time),
});

/** The pattern is not checked: a text that cannot be a code is a wrong code like any other. */
const code = required(text({ min: 1, max: 128 }));

export const approverCodeBody = object('ApproverCode', { code });

export const approverOfferCodec = object('ApproverOffer', {
  approver: required(text()),
  title: required(nullable(text())),
  /** 32 random bytes in base64url, for one passkey. */
  challenge: required(base64Url),
  expires_at: required(time),
});
export type ApproverOffer = t.TypeOf<typeof approverOfferCodec>;

export const registrationBody = object('PasskeyRegistration', {
  code,
  attestation_object: required(base64Url),
  client_data: required(base64Url),
});
