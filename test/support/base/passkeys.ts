/** An authenticator in software, which makes the assertions that a browser would; and openssl, which checks them. */
import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registration } from '../../../src/base/passkey-registration.js';
import type { Assertion } from '../../../src/base/passkey.js';

export type PasskeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

export interface Passkey {
  readonly algorithm: PasskeyAlgorithm;
  readonly pem: string;
  readonly privateKey: KeyObject;
}

const digest = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

export function passkey(algorithm: PasskeyAlgorithm = 'ES256', bits = 2_048): Passkey {
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: bits });
  return { algorithm, pem: String(publicKey.export({ type: 'spki', format: 'pem' })), privateKey };
}

interface Ceremony {
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly extensions?: string;
  readonly client?: Readonly<Record<string, unknown>>;
}

/** Returns the assertion over a message, of a ceremony on http://localhost:8765 with a verified user unless told otherwise. */
export function assertionOf({ algorithm, privateKey }: Passkey, message: string, ceremony: Ceremony = {}): Assertion {
  const {
    origin = 'http://localhost:8765',
    rpId = 'localhost',
    flags = 0x05,
    counter = 0,
    extensions = '',
    client = {},
  } = ceremony;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const authenticator = Buffer.concat([digest(rpId), Buffer.of(flags), count, Buffer.from(extensions, 'hex')]);
  const challenge = digest(message).toString('base64url');
  const data = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false, ...client }));
  const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.concat([authenticator, digest(data)]), privateKey);
  const [authenticator_data, client_data] = [authenticator.toString('base64url'), data.toString('base64url')];
  return { authenticator_data, client_data, signature: signature.toString('base64url') };
}

interface RegistrationCeremony extends Omit<Ceremony, 'counter'> {
  /** In place of the COSE key, in hexadecimal. */
  readonly cose?: string;
  readonly credential?: Buffer;
}

const cborHead = (major: number, n: number): Buffer =>
  n < 24 ? Buffer.of(major * 32 + n) : n < 256 ? Buffer.of(major * 32 + 24, n) : Buffer.of(major * 32 + 25, n >> 8, n & 255);
export const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);

/** The public key as COSE (RFC 9053). */
export function coseOf({ algorithm, privateKey }: Passkey): Buffer {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const member = (label: string, value = ''): Buffer =>
    Buffer.concat([Buffer.from(label, 'hex'), cborBytes(Buffer.from(value, 'base64url'))]);
  const kind = { ES256: 'a5010203262001', EdDSA: 'a4010103272006', RS256: 'a4010303390100' }[algorithm];
  const members =
    algorithm === 'RS256'
      ? [member('20', jwk.n), member('21', jwk.e)]
      : [member('21', jwk.x), ...(algorithm === 'ES256' ? [member('22', jwk.y)] : [])];
  return Buffer.concat([Buffer.from(kind, 'hex'), ...members]);
}

/** Returns the registration of a passkey for a challenge, of a ceremony on http://localhost:8765 with a verified user unless told otherwise. */
export function registrationOf(own: Passkey, challenge: string, ceremony: RegistrationCeremony = {}): Registration {
  const {
    origin = 'http://localhost:8765',
    rpId = 'localhost',
    flags = 0x45,
    extensions = '',
    client = {},
    cose = coseOf(own).toString('hex'),
    credential = digest(own.pem),
  } = ceremony;
  const length = Buffer.of(credential.length >> 8, credential.length & 255);
  const parts = [digest(rpId), Buffer.of(flags), Buffer.alloc(4), Buffer.alloc(16), length, credential];
  const data = Buffer.concat([...parts, Buffer.from(cose + extensions, 'hex')]);
  const members = [
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.of(0xa0),
    cborText('authData'),
    cborBytes(data),
  ];
  const told = { type: 'webauthn.create', challenge, origin, crossOrigin: false, ...client };
  return {
    attestation_object: Buffer.concat([Buffer.of(0xa3), ...members]).toString('base64url'),
    client_data: Buffer.from(JSON.stringify(told)).toString('base64url'),
  };
}

/** Whether openssl alone accepts an assertion: the challenge is the digest of the message, and the signature that of the key. */
export function opensslVerifies(directory: string, pem: string, message: string, assertion: Assertion): boolean {
  const client = Buffer.from(assertion.client_data, 'base64url');
  const { challenge } = JSON.parse(client.toString('utf8')) as { readonly challenge: string };
  const files = { key: 'key.pem', data: 'data', signature: 'signature' };
  const path = (name: string): string => join(directory, name);
  writeFileSync(path(files.key), pem);
  writeFileSync(path(files.data), Buffer.concat([Buffer.from(assertion.authenticator_data, 'base64url'), digest(client)]));
  writeFileSync(path(files.signature), Buffer.from(assertion.signature, 'base64url'));
  const isEdDsa = spawnSync('openssl', ['pkey', '-pubin', '-in', path(files.key), '-noout', '-text'], {
    encoding: 'utf8',
  }).stdout.includes('ED25519');
  const how = ['-verify', '-pubin', '-inkey', path(files.key), '-rawin', ...(isEdDsa ? [] : ['-digest', 'sha256'])];
  const { status } = spawnSync('openssl', ['pkeyutl', ...how, '-in', path(files.data), '-sigfile', path(files.signature)]);
  return status === 0 && challenge === digest(message).toString('base64url');
}
