import { hash_bytes } from './merkle.js';

const signature_bytes = 64;

/** The bytes of an entry's hash and signature, one after the other, as the log data hashes them. One object serves many entries. */
export class EntryBytes {
  /** hash ‖ signature, as `entryLeaf` takes them. */
  readonly both: Buffer = Buffer.alloc(hash_bytes + signature_bytes);
  readonly hash: Buffer = this.both.subarray(0, hash_bytes);
  readonly signature: Buffer = this.both.subarray(hash_bytes);

  /**
   * Decodes the texts of a row. Returns false unless each is exactly what its bytes encode to: decoders skip invalid characters, and an
   * altered file may hold values of other types.
   */
  decode(hash: string, signature: string): boolean {
    if (typeof hash !== 'string' || typeof signature !== 'string') return false;
    return (
      this.both.write(hash, 0, hash_bytes, 'hex') === hash_bytes &&
      this.both.toString('hex', 0, hash_bytes) === hash &&
      this.both.write(signature, hash_bytes, signature_bytes, 'base64') === signature_bytes &&
      this.both.toString('base64', hash_bytes) === signature
    );
  }
}
