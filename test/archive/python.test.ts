/** What Python's zipfile, which made the reference agent's archives, makes of ours, and the reader of its. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'mocha';
import { sha256Hex } from '../../src/base/hash.js';
import { prng } from '../../src/base/prng.js';
import { openArchive } from '../../src/archive/read.js';
import { writeArchive } from '../../src/archive/write.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { real } from '../support/real.js';
import { roomy } from '../support/archive/zip-attack.js';

const folder = folderForEach();
const at = (name: string): string => join(folder.get(), name);
const big = Buffer.alloc(3_000_001, 'PK\x03\x04PK\x01\x02PK\x07\x08PK\x05\x06', 'latin1');

function python(script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, ...args], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

real('python', "archive: Python's zipfile", () => {
  it('reads what was written', async function () {
    const script = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, i.date_time, i.external_attr, i.create_system, len(i.extra), i.compress_type,
        hashlib.sha256(archive.read(i)).hexdigest()] for i in archive.infolist()]))
`;
    const members = [
      { name: 'a.txt', source: Buffer.from('hello') },
      { name: 'x/empty', source: Buffer.alloc(0) },
      { name: 'big', source: big },
      { name: 'último', source: Buffer.from('4') },
      { name: 'random', source: Buffer.from(Array.from({ length: 1_100_000 }, prng(1).uint32)) },
    ];
    writeFileSync(at('x.zip'), '');
    await writeArchive(at('x.zip'), members);
    const fixed = [[1980, 1, 1, 0, 0, 0], 0o600 * 0x10000, 3, 0, 0];
    assert.deepEqual(
      JSON.parse(python(script, at('x.zip'))),
      members.map(({ name, source }) => [name, ...fixed, sha256Hex(source)]),
    );
  });

  it('writes what can be read, also into a pipe', async function () {
    const script = `
import sys, zipfile
class Pipe:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open(sys.argv[1], 'wb') as file:
    with zipfile.ZipFile(Pipe(file) if sys.argv[2] == 'pipe' else file, 'w') as archive:
        archive.writestr('deflated', 'text ' * 1000, zipfile.ZIP_DEFLATED)
        archive.writestr('stored \u00fc', 'text', zipfile.ZIP_STORED)
        archive.write(sys.argv[3], 'x/file', zipfile.ZIP_DEFLATED)
`;
    writeFileSync(at('file'), big);
    for (const kind of ['file', 'pipe']) {
      python(script, at('x.zip'), kind, at('file'));
      const archive = await openArchive(at('x.zip'), { members: ['deflated', 'stored ü', 'x/file'], ...roomy });
      assert.equal((await archive.read('deflated', 5_000)).toString(), 'text '.repeat(1_000));
      assert.equal((await archive.read('stored ü', 5_000)).toString(), 'text');
      assert.ok((await archive.read('x/file', big.length)).equals(big), kind);
      archive.close();
    }
  });
});
