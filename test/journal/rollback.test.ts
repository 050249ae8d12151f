import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { acceptRollback, resume } from '../../src/app/home/control.js';
import { allEntries } from '../../src/app/home/upgrade.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { headText, latestNote, readEntry } from '../../src/journal/reader.js';
import { readControl } from '../../src/rows/control.js';
import { rebuildProjections } from '../../src/projection/projections.js';
import type { Db } from '../../src/store/database.js';
import { rejectsRefusal } from '../support/given-home.js';
import { homeForEach, submit, temporaryHome, type TemporaryHome } from '../support/temporary-home.js';
import { newest, richHome } from './rich-home.js';
import { alter, findingOf, forgetWitness, refusalAtOpen } from './tamper.js';

let made: TemporaryHome;
const homes = homeForEach(() => made);

/** A suite in which each test has such a home. */
const richSuite = (title: string, tests: () => void): unknown =>
  describe(title, () => {
    beforeEach(async () => void (made = await richHome()));
    tests();
  });

const saved = (): string => join(homes.get().root, 'checkpoint.txt');
const saveCheckpoint = (): unknown => homes.get().with((opened) => checkpoint(opened, saved()));

/** Makes the journal what it was at `size`, where a checkpoint stands: nothing inside can tell. */
function cutTo(db: Db, size: number): void {
  db.exec(`DELETE FROM events WHERE seq > ${size}; DELETE FROM checkpoint WHERE size > ${size}`);
  const tiles = Math.floor(size / 256);
  db.exec(`DELETE FROM tile WHERE level = 0 AND n >= ${tiles}`);
  db.exec(tiles === 0 ? 'DELETE FROM tile' : `UPDATE tile SET hashes = substr(hashes, 1, ${tiles * 32}) WHERE level = 1`);
  rebuildProjections(db, allEntries(db));
}

richSuite('a journal whose newest entries were cut off consistently', () => {
  for (const size of [newest - 1, newest - 5, 505, 255, 55]) {
    it(`to ${size} of ${newest}: the witness, a saved checkpoint and a head each say rollback, and nothing else can`, async () => {
      saveCheckpoint();
      const head = homes.get().with((opened) => headText(opened.writer.head));
      alter(homes.get(), (db) => cutTo(db, size));
      const seen = await findingOf(homes.get(), { deep: true });
      assert.equal(seen?.code, 'rollback');
      assert.match(seen?.detail ?? '', new RegExp(`ends at entry ${size}, but .* covers ${newest}: its newest ${newest - size}`));
      assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
      forgetWitness(homes.get());
      const against = await findingOf(homes.get(), { deep: false, against: saved() });
      assert.equal(against?.code, 'rollback');
      assert.equal((await findingOf(homes.get(), { deep: false, expectHead: head }))?.code, 'rollback');
      assert.equal(
        (await findingOf(homes.get(), { deep: false, expectHead: head.split(':')[1]?.padEnd(64, '0') ?? '' }))?.code,
        'fork',
      );
      assert.equal(await findingOf(homes.get(), { deep: true }), null);
    });
  }
});

richSuite('a home that was put back to an older copy', () => {
  /** The copy of the home directory from before `more` entries, put back in its place. */
  function putBack(more: number): void {
    const old = join(homes.get().root, 'old');
    cpSync(homes.get().directory, old, { recursive: true });
    homes.get().with((opened) => {
      for (let n = 0; n < more; n++) opened.writer.transact(submit(5_000 + n));
    });
    rmSync(homes.get().directory, { recursive: true });
    cpSync(old, homes.get().directory, { recursive: true });
  }

  it('is named rollback', async () => {
    putBack(3);
    assert.equal((await findingOf(homes.get(), { deep: true }))?.code, 'rollback');
    assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
  });

  for (const [more, own] of [
    [3, 3],
    [3, 7],
    [1, 300],
  ] as const) {
    it(`and went on with ${own} entries where ${more} had been: is named fork`, async () => {
      putBack(more);
      const witness = readFileSync(join(homes.get().witness, readdirSync(homes.get().witness)[0]!));
      forgetWitness(homes.get());
      homes.get().with((opened) => {
        for (let n = 0; n < own; n++) opened.writer.transact(submit(7_000 + n));
      });
      writeFileSync(join(homes.get().witness, readdirSync(homes.get().witness)[0]!), witness);
      writeFileSync(saved(), witness);
      assert.equal((await findingOf(homes.get(), { deep: true }))?.code, 'fork');
      assert.equal(refusalAtOpen(homes.get())?.code, 'fork');
      forgetWitness(homes.get());
      assert.equal((await findingOf(homes.get(), { deep: false, against: saved() }))?.code, 'fork');
      assert.equal(await findingOf(homes.get(), { deep: true }), null);
    });
  }
});

richSuite('a checkpoint from elsewhere', () => {
  it('that the journal extends, or equals, is fine', async () => {
    saveCheckpoint();
    assert.equal(await findingOf(homes.get(), { deep: false, against: saved() }), null);
    homes.get().with((opened) => opened.writer.transact(submit(5_000)));
    assert.equal(await findingOf(homes.get(), { deep: false, against: saved() }), null);
  });

  it('between two checkpoints of this journal is held against the entries', async () => {
    const signer = signerFromSeed(readFileSync(join(homes.get().directory, 'identity.key')));
    const note = (root: Buffer): string => homes.get().with(({ writer }) => signCheckpoint(signer, writer.origin, 330, root));
    const { rootAt } = await import('../../src/journal/tree.js');
    const root = homes.get().with((opened) => rootAt(opened.db, newest, 330));
    writeFileSync(saved(), note(root));
    assert.equal(await findingOf(homes.get(), { deep: false, against: saved() }), null);
    writeFileSync(saved(), note(Buffer.alloc(32)));
    assert.equal((await findingOf(homes.get(), { deep: false, against: saved() }))?.code, 'fork');
  });

  it('of another key, or that is none, proves nothing and is refused', async () => {
    const other = temporaryHome();
    try {
      other.with((opened) => checkpoint(opened, saved()));
    } finally {
      other.remove();
    }
    assert.equal((await findingOf(homes.get(), { deep: false, against: saved() }))?.code, 'verification_failed');
    writeFileSync(saved(), 'nothing of the kind\n');
    assert.equal((await findingOf(homes.get(), { deep: false, against: saved() }))?.code, 'verification_failed');
  });

  it('a witness file that cannot be read as one stops nothing', async () => {
    const file = join(homes.get().witness, readdirSync(homes.get().witness)[0]!);
    for (const content of ['', 'rubbish', Buffer.alloc(100_000), Buffer.of(0xff, 0xfe)]) {
      writeFileSync(file, content);
      assert.equal(await findingOf(homes.get(), { deep: false }), null);
    }
  });
});

richSuite('the witness file', () => {
  const file = (): string => join(homes.get().witness, readdirSync(homes.get().witness)[0] ?? '');

  it('is never put back to an older checkpoint, unless what stands there proves nothing', () => {
    const newer = homes.get().with((opened) => {
      opened.writer.transact(submit(7_000));
      const { signer, writer } = opened;
      const later = signCheckpoint(signer, writer.origin, writer.head.size + 1, Buffer.alloc(32));
      writeFileSync(file(), later);
      return later;
    });
    assert.equal(readFileSync(file(), 'utf8'), newer);
    forgetWitness(homes.get());
    homes.get().with((opened) => {
      opened.writer.transact(submit(7_001));
      opened.updateWitness();
      writeFileSync(file(), newer.replace(/\n— [^]*$/u, '\n'));
      opened.updateWitness();
      assert.equal(readFileSync(file(), 'utf8'), latestNote(opened.db)?.note);
    });
  });
});

richSuite('an accepted rollback', () => {
  const accept = (): ReturnType<typeof acceptRollback> =>
    homes.get().with((opened) => acceptRollback(opened, 'me', 'the disk broke'), { tolerate: ['witness'] });

  it('is refused where nothing contradicts the journal', async () => {
    await rejectsRefusal(accept(), 'wrong_state');
  });

  it('records what is lost, begins a new origin with a witness of its own, and the home goes on', async () => {
    const [before] = readdirSync(homes.get().witness);
    const witness = readFileSync(join(homes.get().witness, before!), 'utf8');
    const origin = homes.get().with((opened) => opened.writer.origin);
    alter(homes.get(), (db) => cutTo(db, newest - 5));
    assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
    const report = await accept();
    assert.deepEqual({ ...report, origin: '' }, { state: 'paused', from_size: newest, to_size: newest - 5, origin: '' });
    assert.match(report.origin, new RegExp(`^${origin}/[0-9a-f]{8}$`));
    assert.equal(readdirSync(homes.get().witness).length, 2);
    assert.equal(readFileSync(join(homes.get().witness, before!), 'utf8'), witness);
    assert.equal(refusalAtOpen(homes.get()), null);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    await homes.get().with(async (opened) => {
      const { event, incarnation } = readEntry(opened.db, newest - 4)!;
      assert.equal(event?.type, 'control.rollback_accepted');
      assert.deepEqual(event.document, {
        state: 'paused',
        actor: 'me',
        reason: 'the disk broke',
        lost: { from_size: newest, to_size: newest - 5, witness },
        incarnation,
      });
      assert.equal(readControl(opened.db).state, 'paused');
      await rejectsRefusal(acceptRollback(opened, 'me', 'again'), 'wrong_state');
      await resume(opened, 'me');
      assert.match(latestNote(opened.db)?.note ?? '', new RegExp(`^${report.origin}\n${newest - 3}\n`));
    });
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    homes.get().with((opened) => assert.equal(opened.writer.origin, report.origin));
  });

  it('of a fork keeps the own entries; the other branch is still named against its checkpoint', async () => {
    saveCheckpoint();
    alter(homes.get(), (db) => cutTo(db, newest - 5));
    const witness = readdirSync(homes.get().witness).map(
      (name) => [name, readFileSync(join(homes.get().witness, name))] as const,
    );
    forgetWitness(homes.get());
    homes.get().with((opened) => {
      for (let n = 0; n < 9; n++) opened.writer.transact(submit(7_000 + n));
    });
    for (const [name, content] of witness) writeFileSync(join(homes.get().witness, name), content);
    assert.equal(refusalAtOpen(homes.get())?.code, 'fork');
    const report = await accept();
    assert.deepEqual([report.from_size, report.to_size], [newest, newest + 4]);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    assert.equal((await findingOf(homes.get(), { deep: false, against: saved() }))?.code, 'fork');
  });

  it('that is itself rolled back is noticed by the older witness', async () => {
    alter(homes.get(), (db) => cutTo(db, newest - 5));
    cpSync(homes.get().directory, join(homes.get().root, 'old'), { recursive: true });
    await accept();
    rmSync(homes.get().directory, { recursive: true });
    cpSync(join(homes.get().root, 'old'), homes.get().directory, { recursive: true });
    assert.equal((await findingOf(homes.get(), { deep: true }))?.code, 'rollback');
  });

  it('twice gives two origins more, each with its file', async () => {
    const origins = new Set<string>();
    for (const size of [newest - 1, newest - 1]) {
      alter(homes.get(), (db) => cutTo(db, size));
      assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
      origins.add((await accept()).origin);
    }
    assert.equal(origins.size, 2);
    assert.equal(readdirSync(homes.get().witness).length, 3);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    assert.ok(existsSync(homes.get().directory));
  });
});
