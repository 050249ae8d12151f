import assert from 'node:assert/strict';
import fs, { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { prng } from '../../src/base/prng.js';
import { openArchive, openArchiveBytes, type Archive } from '../../src/archive/read.js';
import { content, limitsFor, withB } from '../support/archive/zip-attack.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { buildZip } from '../support/archive/zip-builder.js';
import { whileReplaced } from '../support/while-replaced.js';

const folder = folderForEach();
const at = (name: string): string => join(folder.get(), name);
const limits = limitsFor(['a', 'b']);
const big = Buffer.alloc(300_000, 'a text that does not fit into one piece; ');
const bytes = buildZip(withB({ method: 0, content: big }));
const descriptors = (): number => readdirSync('/proc/self/fd').length;

async function opened(): Promise<Archive> {
  writeFileSync(at('x.zip'), bytes);
  return await openArchive(at('x.zip'), limits);
}

describe('archive: a file', () => {
  it('is opened, read and closed', async () => {
    const archive = await opened();
    assert.deepEqual(archive.names, ['a', 'b']);
    assert.equal((await archive.read('a', 100)).toString(), content);
    assert.ok((await archive.read('b', 300_000)).equals(big));
    archive.close();
    archive.close();
  });

  it('is refused when it is missing, a directory or a pipe without a writer, at once', async () => {
    mkdirSync(at('directory'));
    const noFile = 'invalid: % is not a file';
    const kinds = { none: 'not_found: % cannot be read (ENOENT)', directory: noFile, pipe: noFile };
    for (const [name, why] of Object.entries(kinds)) {
      if (name === 'pipe' && spawnSync('mkfifo', [at(name)]).status !== 0) continue;
      await assert.rejects(openArchive(at(name), limits), { name: 'RefusalError', message: why.replace('%', at(name)) });
    }
  });

  it('is refused when it is one byte too long, and read at the limit', async () => {
    writeFileSync(at('x.zip'), bytes);
    const file_bytes_max = bytes.length;
    (await openArchive(at('x.zip'), { ...limits, file_bytes_max })).close();
    (await openArchiveBytes(bytes, { ...limits, file_bytes_max })).close();
    const tight = { ...limits, file_bytes_max: file_bytes_max - 1 };
    const why = `has more than ${file_bytes_max - 1} bytes`;
    await assert.rejects(openArchive(at('x.zip'), tight), { message: `too_large: ${at('x.zip')} ${why}` });
    await assert.rejects(openArchiveBytes(bytes, tight, 'D'), { message: `too_large: D ${why}` });
  });

  it('is closed again when it is refused', async function () {
    if (process.platform !== 'linux') this.skip();
    writeFileSync(at('x.zip'), bytes.subarray(1));
    const before = descriptors();
    for (let n = 0; n < 10; n++) await assert.rejects(openArchive(at('x.zip'), limits), { name: 'RefusalError' });
    await assert.rejects(openArchive(at('x.zip'), { ...limits, file_bytes_max: 1 }), { name: 'RefusalError' });
    assert.equal(descriptors(), before);
  });

  it('is refused when it grows meanwhile, or is overwritten with the same bytes', async () => {
    for (const [written, flag] of [
      ['more', 'a'],
      [bytes, 'r+'],
    ] as const) {
      const archive = await opened();
      writeFileSync(at('x.zip'), written, { flag });
      fs.utimesSync(at('x.zip'), 1, 1);
      const message = `malformed: ${at('x.zip')} changed while it was read`;
      await assert.rejects(archive.read('a', 100), { name: 'RefusalError', message });
      archive.close();
    }
  });

  it('is still the one that was opened when another one replaces it', async () => {
    const archive = await opened();
    spawnSync('mv', [at('x.zip'), at('y.zip')]);
    writeFileSync(at('x.zip'), 'another');
    assert.equal((await archive.read('a', 100)).toString(), content);
    archive.close();
  });

  it('is not read once it is closed, also when its descriptor is in use again', async () => {
    const archive = await opened();
    archive.close();
    const fd = openSync(at('x.zip'), 'r');
    await assert.rejects(archive.read('a', 100), { name: 'Fault', message: 'the archive is closed' });
    closeSync(fd);
  });

  it('is named when its disk fails, which is not the disk that is written', async () => {
    const archive = await opened();
    const readSync = (): never => assert.fail(Object.assign(new Error('the disk'), { code: 'EIO' }));
    const message = `integrity: ${at('x.zip')} cannot be read, because the disk failed (EIO)`;
    const reading = whileReplaced(fs, { readSync }, () => archive.read('a', 100));
    await assert.rejects(reading, { name: 'RefusalError', message });
    await assert.rejects(whileReplaced(fs, { fstatSync: readSync }, opened), { name: 'RefusalError', message });
    archive.close();
  });

  it('throws the error of a failing reader unchanged, and nothing hangs', async () => {
    for (const method of [0, 8]) {
      const archive = await openArchiveBytes(buildZip(withB({ method, content: big })), limits);
      const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
      let calls = 0;
      const extracting = archive.extract('b', () => {
        calls++;
        if (calls === 2) throw full;
      });
      await assert.rejects(extracting, (error) => error === full);
      assert.equal(calls, 2);
    }
  });

  it('throws the refusal when it shrinks while it is inflated', async () => {
    const { uint32 } = prng(1);
    writeFileSync(at('x.zip'), buildZip(withB({ content: Buffer.from(Array.from({ length: 300_000 }, uint32)) })));
    const archive = await openArchive(at('x.zip'), limits);
    let calls = 0;
    const extracting = archive.extract('b', () => {
      calls++;
      fs.truncateSync(at('x.zip'), 1_000);
    });
    await assert.rejects(extracting, { name: 'RefusalError', message: /became shorter while it was read$/ });
    assert.notEqual(calls, 0);
    archive.close();
  });
});
