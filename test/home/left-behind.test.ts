/** What killed processes left in a home is judged and removed only while no other process can open the home. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { removeAbandoned } from '../../src/app/home/staging.js';
import { removeWitnessTemporaries, witnessTemporaries } from '../../src/home/witness-file.js';
import { createProcessLock } from '../../src/store/process-lock.js';
import { folderForEach, homeForEach, submit } from '../support/temporary-home.js';

const homes = homeForEach();
const folders = folderForEach();
const ending = '.tmp-00112233aabb';
const file = (name: string): string => join(homes.get().directory, name);
const kept = { statSync: fs.statSync, rmSync: fs.rmSync, readdirSync: fs.readdirSync, statfsSync: fs.statfsSync };

/** Whether another process could open the home now. */
function isOpen(): boolean {
  const other = new Database(file('lock.sqlite3'), { readonly: true, timeout: 0 });
  try {
    return other.prepare('SELECT version FROM program').get() !== undefined;
  } catch {
    return false;
  } finally {
    other.close();
  }
}

describe('what killed processes left', () => {
  afterEach(() => {
    Object.assign(fs, kept);
    syncBuiltinESMExports();
  });

  it('is looked at and removed while nobody else can open the home', () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1)));
    const [witness = ''] = fs.readdirSync(home.witness);
    const left = [file(`config.json${ending}`), join(home.witness, `${witness}${ending}`)];
    for (const name of left) fs.writeFileSync(name, 'half');
    const looks: [string, boolean][] = [];
    const watch = (name: 'statSync' | 'rmSync' | 'readdirSync', isOfInterest: (file: string) => boolean): void => {
      const original = kept[name] as (...args: unknown[]) => unknown;
      const watched = (...args: unknown[]): unknown => {
        if (isOfInterest(String(args[0]))) looks.push([name, isOpen()]);
        return original(...args);
      };
      Object.assign(fs, { [name]: watched });
    };
    watch('statSync', (name) => name.endsWith('-wal'));
    watch('rmSync', (name) => name === left[0]);
    watch('readdirSync', (name) => name === home.witness);
    syncBuiltinESMExports();
    const opened = home.open();
    assert.deepEqual(Object.fromEntries(looks), { statSync: false, rmSync: false, readdirSync: false });
    for (const name of left) assert.equal(fs.existsSync(name), false, name);
    for (const name of left) fs.writeFileSync(name, 'in use');
    home.open().close();
    for (const name of left) assert.equal(fs.existsSync(name), true, name);
    opened.close();
  });

  it('beside a witness file is only what was there at that moment', () => {
    const witness = join(folders.get(), 'ab'.repeat(32));
    for (const name of [witness, `${witness}.verified`]) fs.writeFileSync(`${name}${ending}`, 'left');
    const found = witnessTemporaries(folders.get());
    const others = [`${witness}.tmp-ffffffffffff`, `${'cd'.repeat(32)}${ending}`];
    for (const name of others) fs.writeFileSync(join(folders.get(), basename(name)), 'in use');
    removeWitnessTemporaries(witness, found);
    assert.deepEqual(fs.readdirSync(folders.get()).toSorted(), others.map((name) => basename(name)).toSorted());
  });

  it('on a network file system is removed for the same name only: the lock of another machine may not be seen', () => {
    const [same, other] = ['a.zip', 'b.zip'].map((name) => join(folders.get(), `${name}${ending}`));
    for (const directory of [same ?? '', other ?? '']) {
      fs.mkdirSync(directory);
      createProcessLock(join(directory, 'staging.lock'), '1.2.3').release();
      fs.writeFileSync(join(directory, 'archive-1.zip'), 'with the key');
    }
    Object.assign(fs, { statfsSync: () => ({ type: 0x6969 }) });
    syncBuiltinESMExports();
    removeAbandoned(join(folders.get(), 'a.zip'));
    assert.deepEqual(fs.readdirSync(folders.get()), [basename(other ?? '')]);
    Object.assign(fs, kept);
    syncBuiltinESMExports();
    removeAbandoned(join(folders.get(), 'a.zip'));
    assert.deepEqual(fs.readdirSync(folders.get()), []);
  });
});
