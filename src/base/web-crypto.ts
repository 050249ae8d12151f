/**
 * Bytes and signatures for the checkers of approvals. They run in Node, in the verifier that is one file, and in a browser, so they use the
 * language and WebCrypto alone; scripts/verify-page.mjs copies these modules into both.
 */
const rsa_bits_max = 8_192;

export type Bytes = Uint8Array<ArrayBuffer>;

/** What was checked does not hold. The cause is the verdict of the verifier that is one file. */
export class Refuted extends Error {
  override readonly cause = 'refuted';
}

export function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Refuted(otherwise);
}

export const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const digest = async (name: 'SHA-256' | 'SHA-512', data: Uint8Array): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest(name, joined(data)));

export const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
export const base64Url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Returns the bytes of a base64 text. @throws Refuted unless it is the one text that they encode to */
export function fromBase64(text: string, encode = base64): Bytes {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
  check(/^[A-Za-z0-9+/]*$/.test(plain) && plain.length % 4 !== 1, 'what should be base64 is not');
  const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
  check(encode(bytes) === text, 'a base64 text is not in canonical form');
  return bytes;
}

/** Returns bytes as the text between two lines that name it, as PEM and OpenSSH write it. */
export const armored = (name: string, bytes: Uint8Array, columns: number): string =>
  `-----BEGIN ${name}-----\n${base64(bytes).replaceAll(new RegExp(`.{1,${columns}}`, 'g'), '$&\n')}-----END ${name}-----\n`;

/** @throws Refuted unless the text is exactly what `armored` returns */
export function fromArmored(name: string, text: string, columns: number): Bytes {
  const bytes = fromBase64(text.split('\n').slice(1, -2).join(''));
  const what = name === 'PUBLIC KEY' ? 'a public key' : 'an SSH signature';
  check(armored(name, bytes, columns) === text, `it is not the text of ${what}`);
  return bytes;
}

/** Returns the members of a JSON text in UTF-8. @throws Refuted for bytes that are none */
export function membersOf(bytes: Uint8Array, otherwise: string): Readonly<Record<string, unknown>> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    throw new Refuted(otherwise);
  }
}

/** The fingerprint of a key as ssh-keygen prints it. */
export const fingerprintOf = async (key: Uint8Array): Promise<string> =>
  `SHA256:${base64(await digest('SHA-256', key)).replace(/=+$/, '')}`;

/** Returns a positive integer of DER or SSH (RFC 4251, section 5) without the byte of its sign. @throws Refuted unless it is in its shortest form */
export function magnitude(integer: Uint8Array): Uint8Array {
  const [first = 0, second = 0] = integer;
  check(
    integer.length > 0 && first < 128 && (first > 0 || second >= 128),
    'an integer is not positive or not in its shortest form',
  );
  return first === 0 ? integer.subarray(1) : integer;
}

/** Returns an ECDSA signature as WebCrypto takes it: r and s, of 32 bytes each. */
export function scalarPair(r: Uint8Array, s: Uint8Array): Bytes {
  const fixed = [r, s].map(magnitude).map((scalar) => {
    check(scalar.length <= 32, 'a number of the signature is too large');
    return joined(new Uint8Array(32 - scalar.length), scalar);
  });
  return joined(...fixed);
}

/**
 * Whether an encoded point is refused as a key or as the R of a signature: not in canonical form (y >= p), or of small order (y = 0, 1, -1 or, of
 * order 8, a root of 121665 y^4 - 243332 y^2 + 121666).
 */
export function isWeakPoint(point: Uint8Array): boolean {
  const p = 2n ** 255n - 19n;
  const y = Array.from(point).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) % 2n ** 255n;
  return y >= p || (y * (y * y - 1n) * (121665n * y ** 4n - 243332n * y * y + 121666n)) % p === 0n;
}

/** Ed25519 (RFC 8032), as strict as libsodium. Platforms refuse S >= L, but some take weak points. */
export async function verifiesEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64 || isWeakPoint(key) || isWeakPoint(signature.subarray(0, 32))) return false;
  try {
    const imported = await crypto.subtle.importKey('raw', joined(key), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', imported, joined(signature), joined(message));
  } catch {
    return false; // no point of the curve
  }
}

/** Whether a signature is one of a key over some bytes. */
export type Verify = (signature: Uint8Array, data: Uint8Array) => Promise<boolean>;

/** @throws Refuted for a weak point */
export function ed25519Key(point: Uint8Array): Verify {
  check(point.length === 32 && !isWeakPoint(point), 'the key is not a point of large order');
  return (signature, data) => verifiesEd25519(point, data, signature);
}

/** Takes an uncompressed point of P-256; signatures are those of `scalarPair`, over SHA-256. @throws Refuted for another point */
export async function p256Key(point: Uint8Array): Promise<Verify> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const isWhole = point.length === 65 && point[0] === 4;
  const key = await crypto.subtle.importKey('raw', joined(point), algorithm, false, ['verify']).catch(() => null);
  check(isWhole && key !== null, 'the key is not an uncompressed point of P-256');
  return (signature, data) => crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, joined(signature), joined(data));
}

/** Returns what verifies signatures of an RSA key, by its exponent and modulus, with a hash. @throws Refuted for a weak key */
export function rsaKey(e: Uint8Array, n: Uint8Array, bits_min: number): (hash: string) => Verify {
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
  check(bits >= bits_min && bits <= rsa_bits_max, `an RSA key must have ${bits_min} to ${rsa_bits_max} bits`);
  const isOdd = ((e.at(-1) ?? 0) & (n.at(-1) ?? 0) & 1) === 1;
  // Browsers take no exponent of more than 33 bits.
  check(isOdd && e.length >= 3 && e.length <= 4, 'the RSA key has a weak exponent or modulus');
  const jwk = { kty: 'RSA', n: base64Url(n), e: base64Url(e) };
  return (hash) => async (signature, data) => {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
    return signature.length === n.length && (await crypto.subtle.verify(algorithm, key, joined(signature), joined(data)));
  };
}
