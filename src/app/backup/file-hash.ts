import * as fs from 'node:fs';
import * as crypto from 'node:crypto';

const chunk_bytes = 1_048_576;

/** Returns the hexadecimal SHA-256 of the bytes of the files, one after another. */
export function sha256OfFile(...files: readonly string[]): string {
  const hash = crypto.createHash('sha256');
  const chunk = Buffer.alloc(chunk_bytes);
  for (const file of files) {
    const fd = fs.openSync(file, 'r');
    try {
      for (let read = fs.readSync(fd, chunk); read > 0; read = fs.readSync(fd, chunk)) hash.update(chunk.subarray(0, read));
    } finally {
      fs.closeSync(fd);
    }
  }
  return hash.digest('hex');
}
