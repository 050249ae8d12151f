/**
 * SHA-256 (FIPS 180-4). The page has its own because browsers offer `crypto.subtle` to secure contexts only, and the console
 * may be opened over plain HTTP on another host.
 */

/** Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = /* @__PURE__ */ fractions(64, Math.cbrt);
/** Section 5.3.3: the same of the square roots of the first 8 primes. */
const start = /* @__PURE__ */ fractions(8, Math.sqrt);

/** A double has 53 bits: for roots below 8 at least 49 of them stand after the point. */
function fractions(count: number, root: (x: number) => number): Uint32Array {
  const out = new Uint32Array(count);
  for (let found = 0, n = 2; found < count; n++) {
    if (!isPrime(n)) continue;
    const value = root(n);
    out[found++] = Math.floor((value - Math.floor(value)) * 2 ** 32);
  }
  return out;
}

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
const at = (words: Uint32Array, i: number): number => words[i] ?? 0;

/** Section 6.2.2, steps 1 to 4 for the block that begins at `offset`. */
function compress(state: Uint32Array, view: DataView, offset: number, w: Uint32Array): void {
  for (let t = 0; t < 16; t++) w[t] = view.getUint32(offset + 4 * t);
  for (let t = 16; t < 64; t++) {
    const x = at(w, t - 15);
    const y = at(w, t - 2);
    const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[t] = at(w, t - 16) + small0 + at(w, t - 7) + small1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + at(constants, t) + at(w, t)) | 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word));
}

/** Section 5.1.1: a one bit, zeros, and the length in bits as 64 bits. */
function padded(bytes: Uint8Array): DataView {
  const out = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  out.set(bytes);
  out[bytes.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(out.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(out.length - 4, (bytes.length << 3) >>> 0);
  return view;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const state = start.slice();
  const view = padded(bytes);
  const w = new Uint32Array(64);
  for (let offset = 0; offset < view.byteLength; offset += 64) compress(state, view, offset, w);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** The hash of a text's UTF-8 bytes as 64 hexadecimal digits. */
export const sha256Hex = (text: string): string =>
  Array.from(sha256(new TextEncoder().encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('');
