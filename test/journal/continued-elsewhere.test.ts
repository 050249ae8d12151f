/** After an accepted rollback, or beside a restored home: every copy that the journal does not continue is named when it is put back. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { acceptRollback, resume } from '../../src/app/control/control.js';
import { openHome } from '../../src/app/home/open.js';
import type { World } from '../../src/app/home/home.js';
import { latestNote } from '../../src/journal/reader.js';
import { Proven } from '../../src/state/proven.js';
import { schema } from '../../src/tables/projections.js';
import { backup, restore, withHome, worldBeside } from '../app/backup/archives.js';
import { copyTree, homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { findingOf, keepCopy, putBack, refusalAtOpen, witnessed } from './tamper.js';

const homes = homeForEach();
const keep = (name: string): void => keepCopy(homes.get(), name);
const put = (name: string): void => putBack(homes.get(), name);
const accept = (): ReturnType<typeof acceptRollback> =>
  homes.get().with((home) => acceptRollback(home, 'me', 'the disk broke'), { tolerate: ['witness'] });

let nextMission = 1;
const grow = (entries: number, world: World = homes.get().world): number =>
  withHome(world, ({ writer }) => {
    for (let i = 0; i < entries; i++) writer.transact(submit(nextMission++));
    return writer.head.size;
  });

/** Every command refuses the home as it is, and `verify` names it; both say whether it is shorter or another continuation. */
async function isNamed(code: 'rollback' | 'fork'): Promise<void> {
  const before = witnessed(homes.get());
  for (const deep of [false, true]) assert.equal((await findingOf(homes.get(), { deep }))?.code, code);
  assert.equal(refusalAtOpen(homes.get())?.code, code);
  homes.get().with(({ faults, updateWitness }) => assert.deepEqual([faults.witness?.code, updateWitness()], [code, null]), {
    tolerate: ['witness'],
  });
  assert.deepEqual(witnessed(homes.get()), before);
}

async function isSound(): Promise<void> {
  assert.equal(refusalAtOpen(homes.get()), null);
  assert.equal(await findingOf(homes.get(), { deep: true }), null);
  const note = homes.get().with(({ db }) => latestNote(db)?.note);
  assert.ok(witnessed(homes.get()).includes(note ?? ''));
}

/** The home of 3 entries, and its copies: `A3`, and `A5` with two entries more. */
function makeCopies(): void {
  assert.equal(grow(2), 3);
  keep('A3');
  assert.equal(grow(2), 5);
  keep('A5');
}

describe('a copy with entries that were given up', () => {
  it('is named when it is put back: init, 2 entries, copy; 2 more, copy; the first put back and accepted, 4 more; the second', async () => {
    makeCopies();
    put('A3');
    await isNamed('rollback');
    await accept();
    homes.get().with(({ db, signer }) => assert.equal(new Proven(db, signer.publicKey, schema).base, 4), { isUrgent: true });
    await homes.get().with((home) => resume(home, 'me'));
    assert.equal(grow(3), 8);
    keep('A8');
    await isSound();
    for (const older of ['A5', 'A3']) {
      put(older);
      await isNamed('rollback');
    }
    put('A8');
    await isSound();
  });

  it('is named as soon as the rollback was accepted, though it is longer', async () => {
    makeCopies();
    put('A3');
    await accept();
    await isSound();
    put('A5');
    await isNamed('fork');
  });

  it('is named when the command that accepted the rollback was killed before it wrote the witness files', async () => {
    makeCopies();
    const [witness, old] = [homes.get().witness, join(homes.get().root, 'old-witness')];
    copyTree(witness, old);
    put('A3');
    await accept();
    rmSync(witness, { recursive: true });
    copyTree(old, witness);
    // The next command writes them.
    await isSound();
    put('A5');
    await isNamed('fork');
  });

  it('may be accepted in its turn: then the other continuation is named', async () => {
    makeCopies();
    put('A3');
    const { origin } = await accept();
    grow(4);
    keep('A8');
    put('A5');
    const second = await accept();
    assert.notEqual(second.origin, origin);
    assert.deepEqual([second.from_size, second.to_size], [8, 5]);
    await isSound();
    for (const [name, code] of Object.entries({ A3: 'rollback', A5: 'rollback', A8: 'fork' } as const)) {
      keep('now');
      put(name);
      await isNamed(code);
      put('now');
      await isSound();
    }
    grow(4);
    put('A8');
    await isNamed('rollback');
  });

  it('is named after any number of accepted rollbacks', async () => {
    makeCopies();
    for (const branch of ['first', 'second', 'third']) {
      put('A3');
      await accept();
      keep(branch);
    }
    await isSound();
    for (const [name, code] of Object.entries({ A3: 'rollback', A5: 'fork', first: 'fork', second: 'fork' } as const)) {
      put(name);
      await isNamed(code);
    }
    put('third');
    await isSound();
  });
});

describe('a restored home beside the live one', () => {
  /** The live home with a copy of it that was restored and has grown; returns the copy. */
  async function withDrill(): Promise<World> {
    grow(2);
    const { file } = await backup(homes.get());
    const drill = worldBeside(homes.get(), 'drill');
    await restore(drill, file);
    grow(3, drill);
    return drill;
  }
  const drillHome = (world: World): TemporaryHome => ({
    ...homes.get(),
    directory: world.directory,
    world,
    open: (o) => openHome(world, o),
  });

  it('leaves the witness of the live one alone, and both continue', async () => {
    const drill = await withDrill();
    for (let i = 0; i < 2; i++) {
      grow(2);
      grow(1, drill);
    }
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    assert.equal(await findingOf(drillHome(drill), { deep: true }), null);
    assert.equal(new Set(witnessed(homes.get())).size, 2);
  });

  it('leaves it alone after an accepted rollback of its own, too', async () => {
    const drill = await withDrill();
    const copy = drillHome(drill);
    keepCopy(copy, 'drill-copy');
    grow(2, drill);
    putBack(copy, 'drill-copy');
    assert.equal(refusalAtOpen(copy)?.code, 'rollback');
    const home = copy.open({ tolerate: ['witness'] });
    await acceptRollback(home, 'me', 'drill');
    home.close();
    assert.equal(refusalAtOpen(homes.get()), null);
    grow(2);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    assert.equal(await findingOf(copy, { deep: true }), null);
    // The live home's file, and those of the copy's two origins, which hold the same checkpoint.
    assert.deepEqual([witnessed(homes.get()).length, new Set(witnessed(homes.get())).size], [3, 2]);
  });
});

describe('a restored home that supersedes the one that it continues', () => {
  /** Restores a backup of three entries where the home of `entries` more is, which is kept as `before`. */
  async function replaceHome(entries: number): Promise<void> {
    grow(2);
    const { file } = await backup(homes.get());
    if (entries > 0) grow(entries);
    keep('before');
    rmSync(homes.get().directory, { recursive: true });
    await restore(homes.get().world, file, { supersede: true });
  }

  for (const [entries, code] of [
    [0, 'rollback'],
    [4, 'fork'],
  ] as const) {
    it(`is the only one that continues: its state before, of ${entries} entries more, is named`, async () => {
      await replaceHome(entries);
      keep('restored');
      put('before');
      await isNamed(code);
      put('restored');
      await isSound();
      assert.equal(grow(2), 6);
      keep('restored');
      put('before');
      await isNamed(entries === 0 ? 'rollback' : 'fork');
      put('restored');
      await isSound();
    });
  }

  it('names its state before although it was killed before it wrote the witness files', async () => {
    grow(2);
    const { file } = await backup(homes.get());
    keep('before');
    const [witness, old] = [homes.get().witness, join(homes.get().root, 'old-witness')];
    copyTree(witness, old);
    rmSync(homes.get().directory, { recursive: true });
    await restore(homes.get().world, file, { supersede: true });
    rmSync(witness, { recursive: true });
    copyTree(old, witness);
    // The next command writes them.
    await isSound();
    put('before');
    await isNamed('rollback');
  });

  it('is a branch by default, beside which the other one continues', async () => {
    grow(2);
    const { file } = await backup(homes.get());
    keep('before');
    rmSync(homes.get().directory, { recursive: true });
    await restore(homes.get().world, file);
    grow(2);
    put('before');
    await isSound();
  });
});
