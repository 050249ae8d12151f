import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { checkpoint_file_bytes_max } from '../../src/base/limits.js';
import { verifiedFile, witnessFile } from '../../src/home/paths.js';
import { readVerified, writeVerified } from '../../src/home/verified-file.js';
import { folderForEach } from '../support/temporary-home.js';

const folder = folderForEach();
const directory = (): string => join(folder.get(), 'state', 'witness');
const file = (): string => verifiedFile(directory(), 'agent-journal/0011223344556677');

describe('the file of a full verification', () => {
  it('is beside the witness file of its origin', () => {
    assert.equal(file(), `${witnessFile(directory(), 'agent-journal/0011223344556677')}.verified`);
    assert.match(basename(file()), /^[0-9a-f]{64}\.verified$/);
  });

  it('is written privately, replaced, and read', () => {
    assert.equal(readVerified(file()), null);
    for (const note of ['first\n', 'a second — note\n']) {
      assert.equal(writeVerified(file(), note), null);
      assert.equal(readVerified(file()), note);
    }
    assert.deepEqual(readdirSync(directory()), [basename(file())]);
    if (process.platform === 'win32') return;
    assert.deepEqual([statSync(file()).mode & 0o777, statSync(directory()).mode & 0o777], [0o600, 0o700]);
  });

  it('is ignored when it cannot be read as a note', () => {
    mkdirSync(directory(), { recursive: true });
    for (const bytes of [Buffer.from([0xff]), Buffer.alloc(checkpoint_file_bytes_max + 1, 65)]) {
      writeFileSync(file(), bytes);
      assert.equal(readVerified(file()), '');
    }
  });

  it('reports why it cannot be written, and leaves nothing behind', () => {
    mkdirSync(file(), { recursive: true });
    writeFileSync(join(file(), 'in the way'), '');
    assert.match(writeVerified(file(), 'note\n') ?? '', /^(?:EISDIR|ENOTEMPTY|EEXIST|EPERM)$/);
    assert.equal(readVerified(file()), '');
    assert.deepEqual(readdirSync(directory()), [basename(file())]);
    writeFileSync(join(folder.get(), 'plain'), 'kept');
    assert.match(writeVerified(join(folder.get(), 'plain', 'x.verified'), 'note\n') ?? '', /^(?:ENOTDIR|EEXIST)$/);
    assert.equal(readFileSync(join(folder.get(), 'plain'), 'utf8'), 'kept');
    assert.equal(dirname(file()), directory());
  });
});
