/**
 * Reads the registration of a passkey (WebAuthn Level 3, section 7.1): its public key, and that its authenticator verified the user. Who made
 * the authenticator is not asked (attestation `none`).
 */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { checkUser, flag, pageOf } from './passkey.js';
import { base64Url, type Bytes, bytesOf, check, digest, fromBase64, isSame, Refuted } from './web-crypto.js';

/** What a browser returns of a new passkey, in base64url. */
export interface Registration {
  readonly attestation_object: string;
  readonly client_data: string;
}

const credential_bytes_max = 1_023;

/**
 * Returns the key as SubjectPublicKeyInfo in PEM, the credential by which a browser finds the passkey, and the origin of the page, whose
 * host is the RP ID. Whether the key is strong enough is checked where it is added. @throws Refuted unless the passkey was made for the
 * challenge, by an authenticator that verified its user
 */
export async function readRegistration(challenge: Uint8Array, given: Registration) {
  const client = fromBase64(given.client_data, base64Url);
  const origin = pageOf(client, 'webauthn.create', base64Url(challenge));
  const attestation = new CborReader(fromBase64(given.attestation_object, base64Url)).whole();
  const data: unknown = attestation instanceof Map ? attestation.get('authData') : null;
  check(data instanceof Uint8Array && data.length > 55, 'the attestation object has no authenticator data');
  const rpId = await digest('SHA-256', bytesOf(new URL(origin).hostname));
  check(isSame(data.subarray(0, 32), rpId), 'the passkey was made for another site than its page');
  const flags = data[32] ?? 0;
  checkUser(flags);
  check((flags & flag.attested) !== 0, 'the authenticator data holds no key');
  const length = (data[53] ?? 0) * 256 + (data[54] ?? 0);
  check(length > 0 && length <= credential_bytes_max, 'the id of the passkey has no allowed length');
  const credential = base64Url(data.subarray(55, 55 + length));
  const rest = new CborReader(data.subarray(55 + length));
  const cose = rest.item();
  if ((flags & flag.extended) !== 0) rest.item();
  check(rest.isAtEnd(), 'the authenticator data is longer than its parts');
  return { key: pemOf(cose), credential, origin };
}

/** Returns a COSE key (RFC 9053) as PEM: ES256, EdDSA or RS256. */
function pemOf(cose: unknown): string {
  const member = (label: number): unknown => (cose instanceof Map ? cose.get(label) : null);
  const bytes = (label: number): string => {
    const value = member(label);
    check(value instanceof Uint8Array, 'the key of the passkey lacks a member');
    return base64Url(value);
  };
  const kind = [1, 3, -1].map(member);
  const is = (...known: readonly number[]): boolean => known.every((value, i) => value === kind[i]);
  const jwk: JsonWebKey | null = is(2, -7, 1)
    ? { kty: 'EC', crv: 'P-256', x: bytes(-2), y: bytes(-3) }
    : is(1, -8, 6)
      ? { kty: 'OKP', crv: 'Ed25519', x: bytes(-2) }
      : is(3, -257)
        ? { kty: 'RSA', n: bytes(-1), e: bytes(-2) }
        : null;
  check(jwk !== null, 'the key of the passkey is none of ES256, EdDSA and RS256');
  try {
    return String(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }));
  } catch {
    throw new Refuted('the key of the passkey is not a public key');
  }
}

const depth_max = 4;

/** Reads what authenticators write (CTAP2 canonical CBOR): integers, bytes, texts, lists, maps, true, false and null, of definite length. */
class CborReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  whole(): unknown {
    const item = this.item();
    check(this.isAtEnd(), 'the CBOR is followed by something');
    return item;
  }

  item(depth = 0): unknown {
    const [head = 0] = this.take(1);
    const [major, low] = [head >> 5, head & 31];
    check(depth <= depth_max, 'the CBOR is too deep');
    if (major === 7) return this.simple(low);
    const n = low < 24 ? low : this.number(low);
    switch (major) {
      case 0:
        return n;
      case 1:
        return -1 - n;
      case 2:
        return this.take(n);
      case 3:
        return new TextDecoder().decode(this.take(n));
      case 4:
        return Array.from(this.counted(n), () => this.item(depth + 1));
      case 5:
        return new Map(Array.from(this.counted(n), () => [this.item(depth + 1), this.item(depth + 1)] as const));
      default:
        throw new Refuted('the CBOR has a tag');
    }
  }

  private simple(low: number): boolean | null {
    check(low >= 20 && low <= 22, 'the CBOR has a value of another type');
    return low === 22 ? null : low === 21;
  }

  private number(low: number): number {
    check(low <= 26, 'the CBOR has no definite length');
    return this.take(2 ** (low - 24)).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  private take(n: number): Bytes {
    check(n <= this.bytes.length - this.at, 'the CBOR ends early');
    return Uint8Array.from(this.bytes.subarray(this.at, (this.at += n)));
  }

  /** Each item has a byte at least. */
  private counted(length: number): { readonly length: number } {
    check(length <= this.bytes.length - this.at, 'the CBOR ends early');
    return { length };
  }
}
