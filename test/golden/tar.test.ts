import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForEach } from '../support/temporary-home.js';
import { packDirectory, readTar, tarBytes, unpackInto } from '../support/tar.js';

describe('archives of golden homes', () => {
  const folder = folderForEach();
  const at = (name: string): string => join(folder.get(), name);

  it('unpack to the same files and modes, and pack to the same bytes again', () => {
    for (const name of ['from', 'from/home', 'from/empty', 'to']) mkdirSync(at(name));
    for (const [name, size] of [
      ['home/a', 0],
      ['home/b', 512],
      ['home/c', 1_000],
      ['z', 1],
    ] as const)
      writeFileSync(at(`from/${name}`), Buffer.alloc(size, name));
    chmodSync(at('from/home'), 0o700);
    chmodSync(at('from/home/c'), 0o600);
    const packed = packDirectory(at('from'));
    unpackInto(at('to'), packed);
    assert.deepEqual(readFileSync(at('to/home/c')), readFileSync(at('from/home/c')));
    assert.deepEqual([statSync(at('to/home')).mode & 0o777, statSync(at('to/home/c')).mode & 0o777], [0o700, 0o600]);
    assert.ok(packDirectory(at('to')).equals(packed));
  });

  it('are refused when they are damaged or lead out of the directory', () => {
    const archive = tarBytes([{ name: 'a', mode: 0o600, bytes: Buffer.from('text') }]);
    assert.deepEqual(readTar(archive), [{ name: 'a', mode: 0o600, bytes: Buffer.from('text') }]);
    archive[0] = 'b'.charCodeAt(0);
    assert.throws(() => readTar(archive), /no ustar header at byte 0/);
    for (const name of ['../a', '/a']) {
      assert.throws(() => readTar(tarBytes([{ name, mode: 0o600, bytes: Buffer.alloc(0) }])), /leads elsewhere/);
    }
    assert.throws(() => tarBytes([{ name: 'n'.repeat(101), mode: 0, bytes: Buffer.alloc(0) }]), /more than 100 bytes/);
  });
});
