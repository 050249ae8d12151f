import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Database } from '../../src/store/sqlite.js';
import { RefusalError } from '../../src/base/refusal.js';
import { type Db, retryWhileBusy } from '../../src/store/database.js';
import { ownerLockState, takeOwnerLock } from '../../src/store/owner-lock.js';
import { createProcessLock, remakeProcessLock, takeProcessLock } from '../../src/store/process-lock.js';
import { lockVersion } from '../support/store/lock-version.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';

const folder = folderForEach();
const file = (): string => join(folder.get(), 'lock.sqlite3');
const take = (mode: 'command' | 'daemon', upgrade: () => void = () => undefined) =>
  takeProcessLock(file(), { version: '1.2.3', mode, describeHolder: () => '', upgrade });
const inUse = refused('in_use');

/** Starts a thread with a module of the store and the path of a lock as its data. */
const thread = (source: string, name = 'process-lock', lock = file()): Worker =>
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { module: new URL(`../../src/store/${name}.js`, import.meta.url).href, file: lock },
  });

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
    const source = `
      import { workerData } from 'node:worker_threads';
      const { remakeProcessLock, takeProcessLock } = await import(workerData.module);
      for (let i = 0; i < 5; i++) remakeProcessLock(workerData.file);
      takeProcessLock(workerData.file, { version: '1.2.3', mode: 'command', describeHolder: () => '', upgrade: () => undefined }).release();`;
    const run = (): Promise<number> =>
      new Promise((resolve, reject) => void thread(source).on('error', reject).on('exit', resolve));
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
      throw new RefusalError('integrity', 'no');
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
    const worker = thread(source);
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

const module = new URL('../../src/store/owner-lock.js', import.meta.url).href;

describe('an owner lock', () => {
  const folder = folderForEach();
  const file = (name = 'a.lock'): string => join(folder.get(), name);
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts a process that is given the path of a lock, and waits until it says something. */
  async function said(source: string, name?: string): Promise<{ readonly child: ChildProcess; readonly text: string }> {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { ownerLockState, takeOwnerLock } = await import(
      ${JSON.stringify(module)}); const file = process.argv[1]; ${source}`,
        file(name),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, text: String(text).trim() };
  }
  const seenByOther = async (name?: string) => (await said('console.log(ownerLockState(file));', name)).text;

  it('is absent without a file, and testing creates none', () => {
    assert.equal(ownerLockState(file()), 'absent');
    mkdirSync(file());
    assert.equal(ownerLockState(file()), 'absent');
    assert.equal(takeOwnerLock(file()), null);
    assert.deepEqual(readdirSync(file()), []);
  });

  it('is held while its process lives, also stopped, and free after a kill', async () => {
    const held = 'takeOwnerLock(file); console.log(); setInterval(() => {}, 1e6);';
    const { child } = await said(held);
    assert.equal(ownerLockState(file()), 'held');
    assert.equal(takeOwnerLock(file()), null);
    child.kill('SIGSTOP');
    assert.equal(ownerLockState(file()), 'held');
    child.kill('SIGCONT');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    assert.equal(ownerLockState(file()), 'free');
    const lock = takeOwnerLock(file());
    assert.equal(ownerLockState(file()), 'held');
    lock?.release();
    assert.equal(ownerLockState(file()), 'free');
  });

  it('stays held when its process tests it, and when another lock of the process ends', async () => {
    const [one, other] = [takeOwnerLock(file()), takeOwnerLock(file('b.lock'))];
    assert.equal(ownerLockState(file('b.lock')), 'held');
    assert.equal(takeOwnerLock(file('b.lock')), null);
    one?.remove();
    assert.deepEqual(readdirSync(folder.get()), ['b.lock']);
    assert.equal(await seenByOther('b.lock'), 'held');
    other?.remove();
    assert.deepEqual(readdirSync(folder.get()), []);
  });

  it('stays held when a worker thread of its process has tested it and ended', async () => {
    const lock = takeOwnerLock(file());
    const source = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { ownerLockState, takeOwnerLock } = await import(workerData.module);
      parentPort.postMessage([ownerLockState(workerData.file), takeOwnerLock(workerData.file)]);`;
    const worker = thread(source, 'owner-lock', file());
    const exited = once(worker, 'exit');
    assert.deepEqual(await once(worker, 'message'), [['held', null]]);
    await exited;
    assert.equal(await seenByOther(), 'held');
    lock?.release();
    assert.equal(await seenByOther(), 'free');
  });

  it('is absent, not free, when its owner ends and deletes it while it is tested', () => {
    writeFileSync(file(), '');
    const prototype = Object.getPrototypeOf(new Database(':memory:')) as Db;
    const { pragma } = prototype;
    prototype.pragma = function (...given) {
      prototype.pragma = pragma;
      rmSync(file());
      return this.pragma(...given);
    };
    assert.equal(ownerLockState(file()), 'absent');
  });

  it('is not taken on a file that was replaced meanwhile', () => {
    const lock = takeOwnerLock(file());
    renameSync(file(), file('moved'));
    writeFileSync(file(), '');
    assert.equal(ownerLockState(file('moved')), 'held');
    lock?.remove();
    assert.equal(existsSync(file()), false);
  });
});
