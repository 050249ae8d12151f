/** Encrypted archives: what comes out of one is what went in, or nothing. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decryptInto, encryptInto, isEncrypted } from '../../src/archive/encrypted.js';
import { type RefusalCode, RefusalError } from '../../src/base/refusal.js';
import { folderForSuite } from '../support/app/temporary-home.js';

const passphrase = 'schön und lang 🌊';
const bytes_max = 1_000_000;
/** Fast; what a real backup costs is tested with the backup. */
const work_factor = 4;

describe('an encrypted archive', () => {
  const folder = folderForSuite();
  let file: string;
  const plain = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7) % 251));

  before(async () => {
    file = join(folder, 'a.zip.age');
    writeFileSync(file, '', { mode: 0o600 });
    await encryptInto(file, [plain.subarray(0, 70_000), plain.subarray(70_000)], { passphrase, work_factor });
  });

  let count = 0;
  const decrypted = async (of: string, secret = passphrase, most = bytes_max): Promise<Buffer> => {
    const to = join(folder, `plain-${count++}`);
    await decryptInto(of, to, secret, most);
    assert.equal(statSync(to).mode & 0o777, 0o600);
    return readFileSync(to);
  };
  const refused = async (
    code: RefusalCode,
    detail: RegExp,
    bytes: Buffer | string,
    secret?: string,
    most?: number,
  ): Promise<void> => {
    const of = join(folder, `altered-${count++}.zip.age`);
    writeFileSync(of, bytes);
    await assert.rejects(decrypted(of, secret, most), (error) => {
      assert.ok(error instanceof RefusalError, String(error));
      assert.equal(error.refusal.code, code, error.refusal.detail);
      assert.match(error.refusal.detail, detail);
      return !error.refusal.detail.includes('\n') && error.refusal.detail.startsWith(of);
    });
  };
  const header = (): string => readFileSync(file, 'latin1').split('\n').slice(0, 4).join('\n');

  it('is decrypted to the same bytes, an empty one too, and is distinguished from a plain one', async () => {
    for (const form of ['NFC', 'NFD']) assert.deepEqual(await decrypted(file, passphrase.normalize(form)), plain, form);
    const empty = join(folder, 'empty.zip.age');
    writeFileSync(empty, '');
    assert.equal(isEncrypted(empty, bytes_max), false);
    await encryptInto(empty, [], { passphrase, work_factor });
    assert.equal((await decrypted(empty)).length, 0);
    assert.equal(isEncrypted(file, bytes_max), true);
    assert.match(header(), /^age-encryption.org\/v1\n-> scrypt \S{22} 4\n/);
  });

  it('needs its passphrase, to the letter', async () => {
    for (const other of ['', 'schön und lang', `${passphrase} `])
      await refused('unauthorized', /another passphrase/, readFileSync(file), other);
  });

  it('is refused when a byte was altered, anywhere, or when it was cut off or continued', async () => {
    const bytes = readFileSync(file);
    const start = header().length;
    for (const at of [start - 2, start + 5, start + 30, 70_000, bytes.length - 1]) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8((altered[at] ?? 0) ^ 1, at);
      await refused('malformed', /altered|encrypted with a passphrase/, altered);
    }
    for (const length of [start + 10, start + 17 + 65_552, bytes.length - 1])
      await refused('malformed', /altered/, bytes.subarray(0, length));
    await refused('malformed', /altered or cut off/, Buffer.concat([bytes, Buffer.of(0)]));
  });

  it('is refused by its header: other recipients, another version, a work factor that would take the machine', async () => {
    const bytes = readFileSync(file, 'latin1');
    const edited = (from: RegExp, to: string): Buffer => Buffer.from(bytes.replace(from, to), 'latin1');
    await refused('malformed', /not encrypted with a passphrase/, edited(/scrypt/, 'X25519'));
    await refused('malformed', /not encrypted with a passphrase/, edited(/v1/, 'v2'));
    await refused('malformed', /not encrypted with a passphrase/, 'age-encryption.org/v1\n');
    await refused('malformed', /work factor 21; at most 20/, edited(/ 4\n/, ' 21\n'));
    await refused('malformed', /altered header/, edited(/--- ./, bytes.includes('--- A') ? '--- B' : '--- A'));
  });

  it('is bounded by the bytes that come out of it', async () => {
    assert.equal((await decrypted(file, passphrase, plain.length)).length, plain.length);
    await refused('too_large', /holds more than 199999 bytes/, readFileSync(file), passphrase, plain.length - 1);
  });

  it('says so where memory is short', async () => {
    const words = globalThis.Uint32Array;
    globalThis.Uint32Array = new Proxy(words, { construct: () => new words(2 ** 50) });
    await refused('too_large', /needs more memory/, readFileSync(file)).finally(() => (globalThis.Uint32Array = words));
  });

  it('is not decrypted over a file', async () => {
    const to = join(folder, 'there');
    writeFileSync(to, 'mine');
    await assert.rejects(decryptInto(file, to, passphrase, bytes_max), /EEXIST/);
    assert.equal(readFileSync(to, 'utf8'), 'mine');
    assert.ok(existsSync(file));
  });
});
