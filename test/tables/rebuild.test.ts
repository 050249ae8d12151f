/** Live tables equal rebuilt ones after any sequence of events, refused commands and batches among them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { cancelMission, listPage, showMission } from '../../src/app/missions/missions.js';
import { RefusalError } from '../../src/base/refusal.js';
import type { Event } from '../../src/codec/event.js';
import type { Command } from '../../src/journal/writer.js';
import { isCurrent, projectors } from '../../src/tables/projections.js';
import { snapshotTables } from '../../src/state/stored.js';
import { readMission } from '../../src/tables/missions.js';
import type { Db } from '../../src/store/database.js';
import { atEffort } from '../support/effort.js';
import { documents, event, eventTypes } from '../support/codec/given-events.js';
import { actor, throwsRefusal } from '../support/app/given-home.js';
import { sharedMixedHome, tamper } from '../support/app/mixed-home.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';

type Tables = Readonly<Record<string, unknown>>;

/** All but the snapshot, which a rebuild makes and live events only move now and then. */
const tables = (db: Db): Tables =>
  Object.fromEntries(
    [...projectors.filter((p) => p !== snapshotTables).flatMap((p) => p.tables), 'projection'].map((name) => [
      name,
      db.prepare(`SELECT * FROM ${name} ORDER BY 1`).all(),
    ]),
  );

/** All but those that would sign another configuration than the file's. */
const ours = eventTypes.filter((type) => !/^reference|^control\.(?:initialised|configured)/.test(type));
const streamOf = (type: string, n: number): string => {
  const [topic] = type.split('.');
  if (topic === 'tool' || topic === 'token') return `@${topic}:t${n}`;
  if (topic === 'simulation') return `@simulation:${String(n).repeat(16)}`;
  if (topic === 'wallet') return '@wallet';
  if (topic === 'invoice') return `@invoice:${uuidOf(n)}`;
  if (topic === 'bus') return '@bus';
  if (topic === 'agent') return '@agent:market';
  if (topic === 'receipt') return `@receipt:1:0x${n}:0`;
  return topic === 'control' ? '@control' : uuidOf(n);
};

interface Step {
  readonly type: (typeof ours)[number];
  readonly mission: number;
  readonly refused: boolean;
  readonly ms: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom(...ours),
  mission: fc.integer({ min: 1, max: 3 }),
  refused: fc.boolean(),
  ms: fc.integer({ min: -5, max: 5 }),
});
/** Batches of commands; each command appends its events and may then be refused. */
const batches = fc.array(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
  maxLength: 8,
});

describe('projections', () => {
  const homes = homeForEach();

  it('are the same rebuilt as live, table by table, after random events', () => {
    const home = homes.get().open();
    const { clock } = homes.get();
    const command =
      (steps: readonly Step[]): Command<null> =>
      (tx) => {
        for (const { type, mission, ms } of steps) {
          clock.now += ms;
          tx.append(streamOf(type, mission), { type, document: documents[type] } as Event);
        }
        if (steps.some(({ refused }) => refused)) throw new RefusalError('conflict', 'refused on purpose');
        return null;
      };
    let events = 0;
    fc.assert(
      fc.property(batches, (all) => {
        const before = home.writer.head.size;
        for (const batch of all) {
          home.writer.begin();
          home.writer.run(batch.map(command));
        }
        const kept = all.flat().filter((steps) => steps.every(({ refused }) => !refused));
        assert.equal(home.writer.head.size - before, kept.flat().length);
        events += kept.flat().length;
        const live = tables(home.db);
        assert.ok(isCurrent(home.db));
        assert.equal(rebuildHome(home, () => undefined).head.size, home.writer.head.size);
        assert.deepEqual(tables(home.db), live);
      }),
      { numRuns: atEffort(25, 250) },
    );
    assert.ok(events > 10, `${events} events`);
    home.close();
    homes.get().with((again) => assert.ok(isCurrent(again.db)));
  });

  homes.it('refuse a damaged row with a fault that names rebuild, and rebuild repairs it', (home) => {
    home.writer.transact((tx) => tx.append(uuidOf(1), event('mission.submitted')));
    const whole = readMission(home.db, uuidOf(1));
    for (const damage of ["record = '{'", 'record = \'{"attempt":"1"}\'', "state = 'lost'"]) {
      home.db.exec(`UPDATE mission SET ${damage}`);
      const namesRebuild = (error: unknown): boolean =>
        error instanceof RefusalError && error.refusal.hint === 'agent-cli rebuild';
      assert.throws(() => readMission(home.db, uuidOf(1)), namesRebuild, damage);
      rebuildHome(home, () => undefined);
      assert.deepEqual(readMission(home.db, uuidOf(1)), whole);
    }
  });
});

type Row = Readonly<Record<string, unknown>>;

describe('a connection that read a row before', () => {
  const template = sharedMixedHome();

  it('reads it again after another connection changed the file, and after its own commits', async () => {
    const given = await template.get();
    const home = given.home.copy();
    const { queued: id } = given.missions;
    await home.with(async (opened) => {
      showMission(opened, id);
      tamper(home, `UPDATE mission SET goal = 'other' WHERE id = '${id}'`);
      throwsRefusal(() => showMission(opened, id), 'integrity');
      throwsRefusal(() => listPage(opened, {}), 'integrity');
      rebuildHome(opened, () => undefined);
      const before = opened.db.prepare<[string], Row>('SELECT * FROM mission WHERE id = ?').get(id);
      assert.equal(showMission(opened, id).state, 'queued');
      await cancelMission(opened, id, actor);
      assert.equal(showMission(opened, id).state, 'failed');
      assert.equal(listPage(opened, {}).items[0]?.state, 'failed');
      // The row as it was before the mission was cancelled, put back by the same connection.
      opened.db.prepare('DELETE FROM mission WHERE id = ?').run(id);
      const names = Object.keys(before ?? {});
      opened.db.prepare(`INSERT INTO mission(${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`).run(before);
      throwsRefusal(() => showMission(opened, id), 'integrity');
    });
    home.remove();
  });

  /** Returns commands that record another goal of a mission, read it, and are refused. */
  const undoneFor =
    (id: string) =>
    (goal: string): Command<null> =>
    (tx) => {
      tx.append(id, event('mission.submitted', { goal }));
      assert.equal(readMission(tx.db, id)?.goal, goal);
      throw new RefusalError('conflict', 'refused on purpose');
    };

  it('forgets what an undone transaction recorded', async () => {
    const given = await template.get();
    const home = given.home.copy();
    const { queued: id } = given.missions;
    home.with((opened) => {
      const { writer, db } = opened;
      const undone = undoneFor(id);
      writer.begin();
      writer.run([undone('first'), undone('second')]);
      assert.equal(readMission(db, id)?.goal, 'repeat');
      writer.begin();
      writer.run([undone('third'), (tx) => void tx.append('@tool:export', event('tool.status_set'))]);
      assert.equal(readMission(db, id)?.goal, 'repeat');
    });
    home.remove();
  });

  it('reads what another process recorded in the place of what was undone, also below an entry of its own', async () => {
    const given = await template.get();
    const home = given.home.copy();
    const { queued: id } = given.missions;
    const [one, other] = [home.open(), home.open()];
    const undone = undoneFor(id);
    one.writer.begin();
    one.writer.run([undone('first'), undone('second')]);
    other.writer.transact((tx) => void tx.append(id, event('mission.submitted', { goal: 'theirs' })));
    assert.equal(readMission(one.db, id)?.goal, 'theirs');
    one.writer.begin();
    one.writer.run([undone('third'), undone('fourth')]);
    other.writer.transact((tx) => void tx.append(id, event('mission.submitted', { goal: 'theirs again' })));
    one.writer.transact((tx) => void tx.append('@tool:export', event('tool.status_set')));
    assert.equal(readMission(one.db, id)?.goal, 'theirs again');
    other.close();
    one.close();
    home.remove();
  });
});
