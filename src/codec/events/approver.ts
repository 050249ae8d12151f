/** Events of the stream `@approver:<name>`: a person who approves results, and the public keys by which. */
import { declare } from '../event-type.js';
import { choice, nullable, optional, required, text } from '../kit.js';
import { causedBy } from '../scalars.js';

/** SSH keys sign on the command line, passkeys on the page. */
export const approvalKeyKind = choice('ssh', 'passkey');
/** `SHA256:…`, as ssh-keygen prints it. */
export const fingerprint = text({ pattern: /^SHA256:[A-Za-z0-9+/]{43}$/ });
export const base64Url = text({ max: 4_000, pattern: /^[A-Za-z0-9_-]+$/ });
const reason = text({ min: 1, max: 500 });
export const approverTitle = text({ min: 1, max: 200 });

/** A public key by which somebody approves. */
export const approvalKey = {
  kind: required(approvalKeyKind),
  /** The line of a file .pub without its comment, or the SubjectPublicKeyInfo in PEM. */
  key: required(text({ min: 1, max: 4_000 })),
  fingerprint: required(fingerprint),
};

export const approverEvents = [
  declare('approver.added', { title: required(nullable(approverTitle)), ...causedBy }),
  declare('approver.key_added', {
    ...approvalKey,
    /** What a browser finds a passkey by. */
    credential: optional(base64Url),
    ...causedBy,
  }),
  declare('approver.key_removed', { fingerprint: required(fingerprint), reason: required(reason), ...causedBy }),
  declare('approver.removed', { reason: required(reason), ...causedBy }),
] as const;
