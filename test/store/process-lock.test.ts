import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
import { createProcessLock, remakeProcessLock, takeProcessLock } from '../../src/store/process-lock.js';
import { folderForEach } from '../support/temporary-home.js';

const folder = folderForEach();
const file = (): string => join(folder.get(), 'lock.sqlite3');
const take = (mode: 'command' | 'daemon') =>
  takeProcessLock(file(), { version: '1.2.3', mode, describeHolder: () => '', upgrade: () => undefined });
const inUse = (error: unknown): boolean => error instanceof RefusalError && error.refusal.code === 'in_use';

describe('a lock file that lost its version', () => {
  for (const [name, damage] of [
    ['emptied', () => truncateSync(file(), 0)],
    ['without its table', () => void new Database(file()).exec('DROP TABLE program').close()],
    ['without its row', () => void new Database(file()).exec('DELETE FROM program').close()],
  ] as const) {
    it(`${name}, is made anew by the next process`, () => {
      createProcessLock(file(), '1.2.3').release();
      damage();
      const first = take('daemon');
      const second = take('command');
      assert.deepEqual([first.wasAlone, second.wasAlone], [true, false]);
      first.release();
      second.release();
    });
  }

  it('is refused while another process holds it', () => {
    createProcessLock(file(), '1.2.3').release();
    const damaged = new Database(file());
    damaged.exec('DROP TABLE program; CREATE TABLE other(a); BEGIN IMMEDIATE');
    assert.throws(() => take('command'), inUse);
    damaged.close();
    take('command').release();
  });

  it('is made where it is missing, for its owner alone, and left as it is where it is whole', () => {
    remakeProcessLock(file());
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    const held = take('daemon');
    remakeProcessLock(file());
    assert.throws(() => take('daemon'), inUse);
    held.release();
    take('command').release();
  });

  it('is made once by several at once', async () => {
    const module = new URL('../../src/store/process-lock.js', import.meta.url).href;
    const source = `
      import { workerData } from 'node:worker_threads';
      const { remakeProcessLock, takeProcessLock } = await import(workerData.module);
      for (let i = 0; i < 5; i++) remakeProcessLock(workerData.file);
      takeProcessLock(workerData.file, { version: '1.2.3', mode: 'command', describeHolder: () => '', upgrade: () => undefined }).release();`;
    const run = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
        new Worker(url, { workerData: { module, file: file() } }).on('error', reject).on('exit', resolve);
      });
    assert.deepEqual(await Promise.all([run(), run(), run()]), [0, 0, 0]);
    assert.ok(existsSync(file()));
    take('daemon').release();
    rmSync(file());
  });
});
