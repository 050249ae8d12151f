/**
 * An approval of a result by the key of a person: what was signed, the subject, and the check that a key signed just that. It needs nothing
 * but what an export holds, and is the same in the program, in the verifier that is one file, and on its page.
 */
import { type Assertion, checkAssertion, readPasskey } from './passkey.js';
import { checkSshSignature, readSshKey, type SshKey } from './ssh-signature.js';
import { bytesOf, check, membersOf } from './web-crypto.js';

export const approval_schema = 'agent-cli-approval/1';
/** The namespace of the signatures of SSH keys. */
export const approval_namespace = 'agent-cli-review';
/** The time from the making of a subject to the record of its signature. */
export const approval_ms_max = 900_000;
/** What every place says of an approval that is only the home's word. */
export const unsignedText = (name: string): string => `recorded by the home for ${name}, not signed by a person's key`;
/** What every place says of approvals that a file leaves out. */
export const leftOutText = (required: number): string =>
  `the file leaves out the signed approvals, of which ${required} were called for`;

const subject_chars_max = 20_000;

/** What a person signs, as RFC 8785 JSON. */
export interface Subject {
  readonly schema: typeof approval_schema;
  /** The journal's name, `agent-journal/<16 hex>` with or without a suffix. */
  readonly origin: string;
  readonly identity: string;
  readonly mission: string;
  readonly kind: string;
  readonly request_hash: string;
  readonly revision: number;
  readonly result_hash: string;
  readonly decision: 'approve';
  readonly note: string;
  readonly approver: string;
  /** The fingerprint of the key that is to sign it. */
  readonly key: string;
  /** When the home made it. */
  readonly at: string;
}

const texts = [
  'approver',
  'at',
  'decision',
  'identity',
  'key',
  'kind',
  'mission',
  'note',
  'origin',
  'request_hash',
  'result_hash',
];
const members = [...texts, 'revision', 'schema'].sort();

/** @throws Refuted for a text that is not exactly a subject */
export function readSubject(text: string): Subject {
  check(text.length <= subject_chars_max, 'the signed text is too long');
  const subject = membersOf(bytesOf(text), 'the signed text is not JSON') as unknown as Subject;
  const values = new Map(Object.entries(subject));
  const hasTexts = texts.every((name) => typeof values.get(name) === 'string' && String(values.get(name)).isWellFormed());
  check(hasTexts && Number.isSafeInteger(subject.revision), 'the signed text lacks a member of an approval');
  // Readers of other forms of a time disagree, also by where they are.
  const at_ms = Date.parse(subject.at);
  check(
    !Number.isNaN(at_ms) && new Date(at_ms).toISOString().replace('Z', '000Z') === subject.at,
    'the time of the signed text is not in canonical form',
  );
  check(
    JSON.stringify(subject) === text && [...values.keys()].join() === members.join(),
    'the signed text is not in canonical form',
  );
  check(subject.schema === approval_schema && subject.decision === 'approve', 'the signed text is not an approval');
  return subject;
}

/** An approval as the journal and an export hold it. */
export interface SignedApproval extends Omit<Assertion, 'authenticator_data' | 'client_data'> {
  readonly approver: string;
  readonly title: string | null;
  readonly kind: 'ssh' | 'passkey';
  /** The line of a file .pub without its comment, or the SubjectPublicKeyInfo in PEM. */
  readonly key: string;
  /** As ssh-keygen prints it. */
  readonly fingerprint: string;
  /** The signed text. */
  readonly subject: string;
  readonly authenticator_data?: string;
  readonly client_data?: string;
}

/** Returns a key that may approve in its canonical form. @throws Refuted for one that is malformed or weak */
export const readKey = async (kind: SignedApproval['kind'], key: string): Promise<SshKey> =>
  kind === 'ssh' ? await readSshKey(key) : { key, fingerprint: await readPasskey(key) };

/**
 * Returns what was signed, and for a passkey the page where.
 * @throws Refuted unless the key of the approval signed its subject, in which the approver and the key are named
 */
export async function checkApproval(
  approval: SignedApproval,
): Promise<{ readonly subject: Subject; readonly page: string | null }> {
  const { approver, kind, key, fingerprint, subject: text, signature, authenticator_data = '', client_data = '' } = approval;
  const subject = readSubject(text);
  check(subject.approver === approver, 'the signed text names another approver');
  const known = await readKey(kind, key);
  const isNamed = subject.key === fingerprint && known.fingerprint === fingerprint && known.key === key;
  check(isNamed, 'the signed text names another key');
  const hasData = authenticator_data + client_data !== '';
  check(hasData || kind === 'ssh', 'the key is a passkey, which signs in the console');
  check(!hasData || kind === 'passkey', 'an SSH signature has no authenticator data');
  if (kind === 'passkey')
    return { subject, page: await checkAssertion(key, bytesOf(text), { authenticator_data, client_data, signature }) };
  await checkSshSignature(key, bytesOf(text), signature, approval_namespace);
  return { subject, page: null };
}
