/** Locks that show that a process lives: what frees them, and what does not. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, it } from 'mocha';
import { ownerLockState, takeOwnerLock } from '../../src/store/owner-lock.js';
import { folderForEach } from '../support/temporary-home.js';

const module = new URL('../../src/store/owner-lock.js', import.meta.url).href;

describe('an owner lock', () => {
  const folder = folderForEach();
  const file = (name = 'a.lock'): string => join(folder.get(), name);
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts a process that takes the lock and keeps it. */
  async function owner(): Promise<ChildProcess> {
    const source = `const { takeOwnerLock } = await import(${JSON.stringify(module)});
      console.log(takeOwnerLock(process.argv[1]) === null ? 'refused' : 'held'); setInterval(() => {}, 1e6);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source, file()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(String(said).trim(), 'held');
    return child;
  }

  /** Returns what another process sees. */
  async function seenByOther(name?: string): Promise<string> {
    const source = `const { ownerLockState } = await import(${JSON.stringify(module)}); console.log(ownerLockState(process.argv[1]));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source, file(name)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return String(said).trim();
  }

  it('is absent without a file, and testing creates none', () => {
    assert.equal(ownerLockState(file()), 'absent');
    mkdirSync(file());
    assert.equal(ownerLockState(file()), 'absent');
    assert.equal(takeOwnerLock(file()), null);
    assert.deepEqual(readdirSync(file()), []);
  });

  it('is held while its process lives, also stopped, and free after a kill', async () => {
    const child = await owner();
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
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
      workerData: { module, file: file() },
    });
    const exited = once(worker, 'exit');
    assert.deepEqual(await once(worker, 'message'), [['held', null]]);
    await exited;
    assert.equal(await seenByOther(), 'held');
    lock?.release();
    assert.equal(await seenByOther(), 'free');
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
