import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { acceptRollback, resume } from '../../src/app/home/control.js';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { latestNote, readEntry } from '../../src/journal/reader.js';
import { readControl } from '../../src/rows/control.js';
import { rejectsRefusal } from '../support/given-home.js';
import { homeForEach, submit, type TemporaryHome } from '../support/temporary-home.js';
import { cutTo, keepCopy, putBack, witnessed } from './older-copy.js';
import { newest, richHome } from './rich-home.js';
import { findingOf, forgetWitness, refusalAtOpen } from './tamper.js';

let made: TemporaryHome;
const homes = homeForEach(() => made);
const saved = (): string => join(homes.get().root, 'checkpoint.txt');

describe('an accepted rollback', () => {
  beforeEach(async () => void (made = await richHome()));
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
    assert.equal((await findingOf(homes.get(), { deep: false, against: saved() }))?.code, 'fork');
  });

  it('is itself found rolled back by the older witness', async () => {
    cutTo(homes.get(), newest - 5);
    keepCopy(homes.get(), 'old');
    await accept();
    putBack(homes.get(), 'old');
    assert.equal((await findingOf(homes.get(), { deep: true }))?.code, 'rollback');
  });

  it('gives a new origin each time it is repeated, each with its file', async () => {
    const origins = new Set<string>();
    for (const size of [newest - 1, newest - 1]) {
      cutTo(homes.get(), size);
      assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
      origins.add((await accept()).origin);
    }
    assert.equal(origins.size, 2);
    assert.deepEqual(witnessed(homes.get()), [newestNote(), newestNote(), newestNote()]);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });
});
