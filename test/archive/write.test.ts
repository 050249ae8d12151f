import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, errorCode } from '../../src/base/refusal.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { openArchiveBytes } from '../../src/archive/read.js';
import { archiveBytes, writeArchive, type ArchiveMember } from '../../src/archive/write.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { roomy } from '../support/archive/zip-attack.js';

const folder = folderForEach();
const at = (name: string): string => join(folder.get(), name);
const made = (name: string): string => {
  writeFileSync(at(name), '', { flag: 'wx' });
  return at(name);
};

/** 3 MB that no reader of local headers can tell the end of: they hold every signature of the format. */
const big = Buffer.alloc(3_000_001, 'PK\x03\x04PK\x01\x02PK\x07\x08PK\x05\x06', 'latin1');
const small: readonly ArchiveMember[] = [
  { name: 'a.txt', source: Buffer.from('hello') },
  { name: 'x/empty', source: Buffer.alloc(0) },
];
const members: readonly ArchiveMember[] = [...small, { name: 'big', source: big }, { name: 'último', source: Buffer.from('4') }];
const descriptors = (): number => readdirSync('/proc/self/fd').length;

describe('archive: writing', () => {
  it('produces these very bytes', async () => {
    const hex = [
      '504b03041400000800000000210086a61036050000000500000005000000612e74787468656c6c6f',
      '504b03041400000800000000210000000000000000000000000007000000782f656d707479',
      '504b01023f031400000800000000210086a610360500000005000000050000000000000000000000800100000000612e747874',
      '504b01023f0314000008000000002100000000000000000000000000070000000000000000000000800128000000782f656d707479',
      '504b05060000000002000200680000004d0000000000',
    ];
    assert.equal((await archiveBytes(small)).toString('hex'), hex.join(''));
    assert.equal(sha256Hex(await archiveBytes(members)), 'b2103c1bf74e2737d5be7af8275b8d00c39cfb2a3ad7e8d3e7352f7b58246baf');
  });

  it('produces the same bytes in every time zone', async () => {
    const module = JSON.stringify(new URL('../../src/archive/write.js', import.meta.url).href);
    const script = `import { archiveBytes } from ${module};
      const bytes = await archiveBytes([{ name: 'a.txt', source: Buffer.from('hello') }, { name: 'x/empty', source: Buffer.alloc(0) }]);
      console.log(bytes.toString('hex'));`;
    const expected = (await archiveBytes(small)).toString('hex');
    for (const TZ of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/St_Johns', 'Europe/Berlin']) {
      const env = { ...process.env, TZ };
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env });
      assert.deepEqual([stdout.trim(), stderr], [expected, ''], TZ);
    }
  });

  it('has a moment that every time zone knows', () => {
    const before = process.env['TZ'];
    try {
      for (const zone of Intl.supportedValuesOf('timeZone')) {
        process.env['TZ'] = zone;
        const moment = new Date(1980, 0, 1);
        assert.deepEqual([moment.getFullYear(), moment.getDate(), moment.getHours(), moment.getMinutes()], [1980, 1, 0, 0], zone);
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });

  it('is the same from bytes or files, in memory or in a file', async () => {
    const expected = await archiveBytes(members);
    const files = members.map(({ name, source }, n) => {
      writeFileSync(at(`${n}`), source as Buffer);
      return { name, source: { file: at(`${n}`) } };
    });
    await writeArchive(made('x.zip'), files);
    assert.ok(readFileSync(at('x.zip')).equals(expected));
    assert.ok((await archiveBytes(files)).equals(expected));
  });

  it('produces archives that are read back, around the size that decides the form', async () => {
    for (const size of [0, 1, 65_535, 65_536, 65_537, 1_048_575, 1_048_576, 1_048_577]) {
      const source = Buffer.alloc(size, size);
      const bytes = await archiveBytes([{ name: 'a', source }]);
      const archive = await openArchiveBytes(bytes, { members: ['a'], ...roomy });
      assert.ok((await archive.read('a', size)).equals(source), `${size}`);
      assert.equal(bytes.length, 30 + 46 + 22 + 2 + size + (size > 1_048_576 ? 16 : 0));
    }
  });
});

describe('archive: writing that fails', () => {
  const fault = (message: RegExp) => (error: unknown) => error instanceof Fault && message.test(error.message);

  it('throws the error of a full disk, and closes everything', async function () {
    if (process.platform !== 'linux') this.skip();
    writeFileSync(at('big'), big);
    const before = descriptors();
    for (const given of [small, members, [{ name: 'big', source: { file: at('big') } }, ...small]]) {
      await assert.rejects(
        writeArchive('/dev/full', given),
        (error) => errorCode(error) === 'ENOSPC' && !(error instanceof Fault),
      );
    }
    assert.equal(descriptors(), before);
  });

  it('refuses a member that is missing or not a file', async function () {
    if (process.platform !== 'linux') this.skip();
    writeFileSync(at('big'), big);
    const before = descriptors();
    const first = { name: 'big', source: { file: at('big') } };
    const gone = writeArchive(made('x.zip'), [first, { name: 'b', source: { file: at('none') } }]);
    await assert.rejects(gone, { name: 'RefusalError', message: `not_found: ${at('none')} cannot be read (ENOENT)` });
    mkdirSync(at('folder'));
    const directory = writeArchive(at('x.zip'), [first, { name: 'b', source: { file: at('folder') } }]);
    await assert.rejects(directory, { name: 'RefusalError', message: `invalid: ${at('folder')} is not a file` });
    assert.equal(statSync(at('x.zip')).size, 0);
    assert.equal(descriptors(), before);
  });

  it('refuses a member that grows or shrinks meanwhile', async () => {
    writeFileSync(at('big'), big);
    const writing = writeArchive(made('x.zip'), [{ name: 'big', source: { file: at('big') } }]);
    appendFileSync(at('big'), 'more');
    await assert.rejects(writing, { name: 'RefusalError', message: /big changed while it was read$/ });
    const shrinking = writeArchive(made('y.zip'), [{ name: 'big', source: { file: at('big') } }]);
    writeFileSync(at('big'), 'less');
    await assert.rejects(shrinking, { name: 'RefusalError', message: /big became shorter while it was read$/ });
  });

  it('leaves a file alone that is not empty, or does not exist', async () => {
    writeFileSync(at('x.zip'), 'of the user');
    await assert.rejects(writeArchive(at('x.zip'), small), fault(/into an empty file/));
    assert.equal(readFileSync(at('x.zip'), 'utf8'), 'of the user');
    await assert.rejects(writeArchive(at('none.zip'), small), (error) => errorCode(error) === 'ENOENT');
  });

  it('refuses what would need Zip64', async () => {
    writeFileSync(at('sparse'), '');
    truncateSync(at('sparse'), 0xffffffff - 100);
    const sparse = { name: 'sparse', source: { file: at('sparse') } };
    await assert.rejects(writeArchive(made('x.zip'), [sparse]), fault(/would need Zip64/));
    truncateSync(at('sparse'), 0x100000000);
    await assert.rejects(writeArchive(at('x.zip'), [sparse]), {
      message: /^too_large: .*sparse has more than 4294967295 bytes$/,
    });
  });
});
