import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
import { retryWhileBusy } from '../../src/store/database.js';
import { createProcessLock, remakeProcessLock, takeProcessLock } from '../../src/store/process-lock.js';
import { lockVersion } from '../support/lock-version.js';
import { folderForEach } from '../support/temporary-home.js';

const folder = folderForEach();
const file = (): string => join(folder.get(), 'lock.sqlite3');
const take = (mode: 'command' | 'daemon', upgrade: () => void = () => undefined) =>
  takeProcessLock(file(), { version: '1.2.3', mode, describeHolder: () => '', upgrade });
const inUse = (error: unknown): boolean => error instanceof RefusalError && error.refusal.code === 'in_use';

describe('a lock file that lost its version', () => {
  for (const [name, damage] of [
    ['emptied', () => truncateSync(file(), 0)],
    ['without its table', () => void new Database(file()).exec('DROP TABLE program').close()],
    ['without its row', () => void new Database(file()).exec('DELETE FROM program').close()],
  ] as const) {
    it(`is recreated by the next process when it is ${name}`, () => {
      createProcessLock(file(), '1.2.3').release();
      damage();
      let upgrades = 0;
      const first = take('daemon', () => void upgrades++);
      const second = take('command', () => void upgrades++);
      assert.equal(upgrades, 1);
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

  it('is created where it is missing, for its owner alone, and left unchanged where it is whole', () => {
    remakeProcessLock(file());
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    const held = take('daemon');
    remakeProcessLock(file());
    assert.throws(() => take('daemon'), inUse);
    held.release();
    take('command').release();
  });

  it('is created once by several at once', async () => {
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

describe('a lock file that an older version wrote', () => {
  const version = (): unknown => lockVersion({ directory: folder.get() });
  const taken = (version: string, upgrade: () => void) =>
    takeProcessLock(file(), { version, mode: 'command', describeHolder: () => '', upgrade });

  it('names the new version only after the upgrade, which a failure leaves to the next process', () => {
    createProcessLock(file(), '1.2.3').release();
    const failing = (): never => {
      throw new RefusalError({ code: 'integrity', detail: 'no' });
    };
    assert.throws(() => taken('1.3.0', failing), /no/);
    assert.equal(version(), '1.2.3');
    let upgrades = 0;
    for (let i = 0; i < 2; i++) taken('1.3.0', () => void upgrades++).release();
    assert.deepEqual([upgrades, version()], [1, '1.3.0']);
  });

  it('lets nobody else in during the upgrade', () => {
    createProcessLock(file(), '1.2.3').release();
    const other = new Database(file(), { timeout: 0 });
    const readVersion = (): unknown => other.prepare('SELECT version FROM program').pluck().get();
    taken('1.3.0', () => assert.throws(readVersion, { code: 'SQLITE_BUSY' })).release();
    assert.equal(readVersion(), '1.3.0');
    other.close();
  });

  it('is held by a process that waited while another one named the version, and continues', async () => {
    createProcessLock(file(), '1.2.3').release();
    const other = new Database(file(), { timeout: 0 });
    other.exec('BEGIN');
    other.prepare('SELECT version FROM program').get();
    const source = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { takeProcessLock } = await import(workerData.module);
      parentPort.postMessage('begins');
      takeProcessLock(workerData.file, { version: '1.3.0', mode: 'command', describeHolder: () => '', upgrade: () => undefined }).release();`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
      workerData: { file: file(), module: new URL('../../src/store/process-lock.js', import.meta.url).href },
    });
    const ended = once(worker, 'exit');
    const failure = once(worker, 'error').then(([error]) => error as unknown);
    await once(worker, 'message');
    await sleep(200);
    // It has read the older version and waits until it is alone, which never happens.
    retryWhileBusy(() => other.prepare("UPDATE program SET version = '1.3.0'").run());
    retryWhileBusy(() => other.exec('COMMIT'));
    retryWhileBusy(() => other.exec('BEGIN; SELECT version FROM program'));
    const outcome = await Promise.race([ended, failure]);
    other.close();
    assert.deepEqual([outcome, version()], [[0], '1.3.0']);
  });

  it('is not upgraded by an older program, nor by one of its own version', () => {
    createProcessLock(file(), '1.2.3').release();
    const unexpected = (): void => assert.fail('upgraded');
    taken('1.2.3', unexpected).release();
    assert.throws(() => taken('1.2.2', unexpected), /which is newer than 1\.2\.2/);
    assert.equal(version(), '1.2.3');
  });

  it('is treated like a lost one: whatever wrote the home, it is brought up to date', () => {
    let upgrades = 0;
    for (const lose of [() => remakeProcessLock(file()), () => truncateSync(file(), 0)]) {
      lose();
      taken('1.2.3', () => void upgrades++).release();
    }
    assert.deepEqual([upgrades, version()], [2, '1.2.3']);
  });
});
