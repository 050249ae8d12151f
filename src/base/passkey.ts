/**
 * Checks assertions of passkeys (WebAuthn Level 3, section 7.2) over a message, whose SHA-256 is the challenge. The public key is the
 * SubjectPublicKeyInfo in PEM; only the canonical form of a key and of an assertion is accepted.
 */
import {
  base64Url,
  type Bytes,
  bytesOf,
  check,
  digest,
  fingerprintOf,
  fromArmored,
  fromBase64,
  isSame,
  ed25519Key,
  joined,
  membersOf,
  p256Key,
  rsaKey,
  scalarPair,
  type Verify,
} from './web-crypto.js';

const pem_chars_max = 2_000;
const part_chars_max = 4_000;
/** Some platforms hold passkeys of 2048 bits in a TPM, and no longer ones. */
const passkey_rsa_bits_min = 2_048;

/** How the DER of a key begins before its point: RFC 5480 and RFC 8410. */
const es256_prefix = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
const eddsa_prefix = '302a300506032b6570032100';

/** Returns what verifies signatures of a key: ES256, EdDSA or RS256. */
async function openPasskey(der: Bytes): Promise<Verify> {
  const hex = Array.from(der, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex.startsWith(eddsa_prefix)) return ed25519Key(der.subarray(eddsa_prefix.length / 2));
  if (!hex.startsWith(es256_prefix)) return await rs256Key(der);
  const verify = await p256Key(der.subarray(es256_prefix.length / 2));
  return (signature, data) => verify(rawSignature(signature), data);
}

async function rs256Key(der: Bytes): Promise<Verify> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('spki', der, algorithm, true, ['verify']).catch(() => null);
  check(key !== null, 'the key is none of ES256, EdDSA and RS256');
  check(isSame(new Uint8Array(await crypto.subtle.exportKey('spki', key)), der), 'the key is not in canonical form');
  const { e = '', n = '' } = await crypto.subtle.exportKey('jwk', key);
  return rsaKey(fromBase64(e, base64Url), fromBase64(n, base64Url), passkey_rsa_bits_min)('SHA-256');
}

/** Returns r and s of an ECDSA signature in DER. */
function rawSignature(der: Uint8Array): Uint8Array {
  const r = der.subarray(4, 4 + (der[3] ?? 0));
  const s = der.subarray(6 + r.length);
  const isWhole = der[0] === 0x30 && der[1] === der.length - 2 && der[2] === 2 && der[4 + r.length] === 2;
  check(isWhole && der.length <= 72 && der[5 + r.length] === s.length, 'the signature is not the DER form of one');
  return scalarPair(r, s);
}

const keyBytes = (pem: string): Bytes => fromArmored('PUBLIC KEY', pem.slice(0, pem_chars_max), 64);

/** Returns the fingerprint of a passkey's public key. @throws Refuted for one that is malformed, weak or of another algorithm */
export async function readPasskey(pem: string): Promise<string> {
  const der = keyBytes(pem);
  await openPasskey(der);
  return await fingerprintOf(der);
}

/** What an authenticator returned, in base64url. */
export type Assertion = Readonly<Record<'authenticator_data' | 'client_data' | 'signature', string>>;

/** Flags of authenticator data (section 6.1). */
export const flag = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40, extended: 0x80 };

/** @throws Refuted unless the authenticator verified its user; a key that cannot be backed up is not backed up (section 6.1.3) */
export function checkUser(flags: number): void {
  const has = (bit: number): boolean => (flags & bit) !== 0;
  check(has(flag.present) && has(flag.verified), 'the authenticator did not verify its user');
  check(has(flag.backupEligible) || !has(flag.backedUp), 'the flags of the authenticator contradict each other');
}

/**
 * Returns the origin of the page on which the person approved. Its host is the RP ID.
 * @throws Refuted unless the key signed the message, and the authenticator verified its user
 */
export async function checkAssertion(pem: string, message: Uint8Array, assertion: Assertion): Promise<string> {
  const { authenticator_data, client_data, signature } = assertion;
  check(
    [authenticator_data, client_data, signature].every(({ length }) => length <= part_chars_max),
    'the assertion is too long',
  );
  const [authenticator, client] = [fromBase64(authenticator_data, base64Url), fromBase64(client_data, base64Url)];
  const origin = pageOf(client, 'webauthn.get', base64Url(await digest('SHA-256', message)));
  const rpId = joined(await digest('SHA-256', bytesOf(new URL(origin).hostname)));
  check(isSame(authenticator.subarray(0, 32), rpId), 'the passkey signed for another site than its page');
  const flags = authenticator[32] ?? 0;
  const isWhole = (flags & flag.extended) === 0 ? authenticator.length === 37 : authenticator.length > 37;
  check(isWhole && (flags & flag.attested) === 0, 'the authenticator data is not that of an assertion');
  checkUser(flags);
  const verify = await openPasskey(keyBytes(pem));
  const signed = joined(authenticator, await digest('SHA-256', client));
  check(await verify(fromBase64(signature, base64Url), signed), 'the signature does not verify');
  return origin;
}

/** Returns the origin that the browser wrote into its part, which must be of this ceremony and hold its challenge. */
export function pageOf(client: Bytes, ceremony: 'webauthn.create' | 'webauthn.get', challenge: string): string {
  const { type, challenge: signed, origin, crossOrigin = false } = membersOf(client, 'the client data is not JSON in UTF-8');
  const what = ceremony === 'webauthn.get' ? 'an assertion' : 'a registration';
  check(type === ceremony && crossOrigin === false, `the client data is not of ${what} on the page itself`);
  check(signed === challenge, 'the challenge is another one');
  const isOrigin = typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin;
  check(isOrigin && /^http(?:s:|:\/\/localhost(?::\d+)?$)/.test(origin), 'the page was not on https, and not on localhost');
  return origin;
}
