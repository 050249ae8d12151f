import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../src/base/bytes.js';
import { acceptRollback, resume } from '../../src/app/control/control.js';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import type { VerifyHomeOptions } from '../../src/app/log/verify-home.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { signCheckpoint } from '../../src/journal/note.js';
import { headText, latestNote, readEntry, readRow } from '../../src/journal/reader.js';
import { rootAt } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { connectionOf } from '../../src/tables/connection.js';
import { readControl } from '../../src/tables/control.js';
import { collectingDamage } from '../../src/tables/damage.js';
import { rejectsRefusal, throwsRefusal } from '../support/app/given-home.js';
import { homeForEach, submit, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { newest, richHome } from './tamper-suite.js';
import { alter, cutTo, findingOf, forgetWitness, keepCopy, putBack, refusalAtOpen, witnessed } from './tamper.js';

let made: TemporaryHome;
const homes = homeForEach(() => made);

/** A suite in which each test has such a home. */
const richSuite = (title: string, tests: () => void): unknown =>
  describe(title, () => {
    beforeEach(async () => void (made = await richHome()));
    tests();
  });

const saved = (): string => join(homes.get().root, 'checkpoint.txt');
const codeOf = async (options: VerifyHomeOptions): Promise<unknown> => (await findingOf(homes.get(), options))?.code;
const saveCheckpoint = (): unknown => homes.get().with((opened) => checkpoint(opened, saved()));

richSuite('a journal whose newest entries were cut off consistently', () => {
  for (const size of [newest - 1, 505, 55]) {
    it(`is reported as a rollback to ${size} of ${newest} by the witness, a saved checkpoint and a head, and by nothing else`, async () => {
      saveCheckpoint();
      const head = homes.get().with((opened) => headText(opened.writer.head));
      cutTo(homes.get(), size);
      const seen = await findingOf(homes.get(), { deep: true });
      assert.equal(seen?.code, 'rollback');
      assert.match(seen?.detail ?? '', new RegExp(`ends at entry ${size}, but .* covers ${newest}: its newest `));
      const { code, facts } = refusalAtOpen(homes.get()) ?? {};
      assert.deepEqual([code, facts?.['journal_size'], facts?.['checkpoint_size']], ['rollback', size, newest]);
      forgetWitness(homes.get());
      assert.equal(await codeOf({ deep: false, against: saved() }), 'rollback');
      assert.equal(await codeOf({ deep: false, expectHead: head }), 'rollback');
      const other = head.split(':')[1]?.padEnd(64, '0') ?? '';
      assert.equal(await codeOf({ deep: false, expectHead: other }), 'fork');
      assert.equal(await findingOf(homes.get(), { deep: true }), null);
    });
  }
});

describe('a journal that is altered while a process has it open', () => {
  const forged = (db: Db): void => {
    const { mission, body, hash, signature } = readRow(db, 3)!;
    const next = body.replace('"sequence":3', '"sequence":4').replace(/"previous":"\w+"/, `"previous":"${hash}"`);
    db.prepare('INSERT INTO events VALUES (4, ?, ?, ?, ?)').run(mission, next, sha256Hex(next), signature);
  };
  const changes = [
    ['rollback', () => cutTo(homes.get(), 2)],
    ['integrity', () => alter(homes.get(), forged)],
    ['integrity', () => alter(homes.get(), `UPDATE events SET hash = '${'0'.repeat(64)}' WHERE seq = 3`)],
  ] as const;
  changes.forEach(([code, change], i) =>
    it(`is not signed again, whatever damage is tolerated: change ${i + 1}`, () => {
      made = temporaryHome();
      const opened = homes.get().open();
      for (const n of [1, 2]) opened.writer.transact(submit(n));
      change();
      connectionOf(opened.db).damage = collectingDamage([]);
      for (const n of [3, 4]) throwsRefusal(() => opened.writer.transact(submit(n)), code);
      opened.close();
    }),
  );
});

richSuite('a home that was put back to an older copy', () => {
  /** Puts the home back to its copy from before `more` entries. */
  function loseEntries(more: number): void {
    keepCopy(homes.get(), 'old');
    homes.get().with((opened) => {
      for (let n = 0; n < more; n++) opened.writer.transact(submit(5_000 + n));
    });
    putBack(homes.get(), 'old');
  }

  for (const [more, own] of [
    [3, 3],
    [1, 300],
  ] as const) {
    it(`is reported as a fork after ${own} new entries in place of ${more}`, async () => {
      loseEntries(more);
      const witness = readFileSync(join(homes.get().witness, readdirSync(homes.get().witness)[0]!));
      forgetWitness(homes.get());
      homes.get().with((opened) => {
        for (let n = 0; n < own; n++) opened.writer.transact(submit(7_000 + n));
      });
      writeFileSync(join(homes.get().witness, readdirSync(homes.get().witness)[0]!), witness);
      writeFileSync(saved(), witness);
      assert.equal(await codeOf({ deep: true }), 'fork');
      assert.equal(refusalAtOpen(homes.get())?.code, 'fork');
      forgetWitness(homes.get());
      assert.equal(await codeOf({ deep: false, against: saved() }), 'fork');
      assert.equal(await findingOf(homes.get(), { deep: true }), null);
    });
  }
});

richSuite('a checkpoint from elsewhere', () => {
  it('is accepted when the journal extends or equals it', async () => {
    saveCheckpoint();
    assert.equal(await findingOf(homes.get(), { deep: false, against: saved() }), null);
    homes.get().with((opened) => opened.writer.transact(submit(5_000)));
    assert.equal(await findingOf(homes.get(), { deep: false, against: saved() }), null);
  });

  it('is compared with the entries when no checkpoint of its size is kept', async () => {
    const signer = signerFromSeed(readFileSync(join(homes.get().directory, 'identity.key')));
    const note = (root: Buffer): string => homes.get().with(({ writer }) => signCheckpoint(signer, writer.origin, 330, root));
    const root = homes.get().with((opened) => rootAt(opened.db, newest, 330));
    writeFileSync(saved(), note(root));
    assert.equal(await findingOf(homes.get(), { deep: false, against: saved() }), null);
    writeFileSync(saved(), note(Buffer.alloc(32)));
    assert.equal(await codeOf({ deep: false, against: saved() }), 'fork');
  });

  it('is refused when it is of another key or malformed', async () => {
    temporaryHome().with((opened) => checkpoint(opened, saved()));
    assert.equal(await codeOf({ deep: false, against: saved() }), 'verification_failed');
    writeFileSync(saved(), 'nothing of the kind\n');
    assert.equal(await codeOf({ deep: false, against: saved() }), 'verification_failed');
  });

  it('is ignored when the witness file cannot be read as one', async () => {
    const file = join(homes.get().witness, readdirSync(homes.get().witness)[0]!);
    for (const content of ['', 'rubbish', Buffer.alloc(100_000), Buffer.of(0xff, 0xfe)]) {
      writeFileSync(file, content);
      assert.equal(await findingOf(homes.get(), { deep: false }), null);
    }
  });
});

richSuite('the witness file', () => {
  const file = (): string => join(homes.get().witness, readdirSync(homes.get().witness)[0] ?? '');

  it('is never put back to an older checkpoint, unless the one there proves nothing', () => {
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
  const newestNote = (): string | undefined => homes.get().with(({ db }) => latestNote(db)?.note);
  const accept = (): ReturnType<typeof acceptRollback> =>
    homes.get().with((opened) => acceptRollback(opened, 'me', 'the disk broke'), { tolerate: ['witness'] });

  it('is refused where nothing contradicts the journal', async () => {
    await rejectsRefusal(accept(), 'wrong_state');
  });

  it('records what is lost, begins a new origin with a witness of its own, and the home continues', async () => {
    const [before] = readdirSync(homes.get().witness);
    const witness = readFileSync(join(homes.get().witness, before!), 'utf8');
    const origin = homes.get().with((opened) => opened.writer.origin);
    cutTo(homes.get(), newest - 5);
    assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
    const report = await accept();
    assert.deepEqual({ ...report, origin: '' }, { state: 'paused', from_size: newest, to_size: newest - 5, origin: '' });
    assert.match(report.origin, new RegExp(`^${origin}/[0-9a-f]{8}$`));
    assert.deepEqual(witnessed(homes.get()), [newestNote(), newestNote()]);
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

  it('keeps the own entries of a fork, and the other branch is still named against its checkpoint', async () => {
    homes.get().with((opened) => checkpoint(opened, saved()));
    cutTo(homes.get(), newest - 5);
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
    assert.equal(await codeOf({ deep: false, against: saved() }), 'fork');
  });
});
