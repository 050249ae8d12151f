/** An authenticator in software, which makes the assertions that a browser would; and openssl, which checks them. */
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
