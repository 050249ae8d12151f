import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Home } from '../../src/app/home/home.js';
import { pause, resume } from '../../src/app/control/control.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import type { Command, Transaction } from '../../src/journal/writer.js';
import { connectionOf } from '../../src/tables/connection.js';
import { schema } from '../../src/tables/projections.js';
import { flush, flush_entries_max, signedBuild, tail_entries_max } from '../../src/state/build.js';
import { rebuiltRoots, snapshotFault } from '../../src/state/check.js';
import { Positions } from '../../src/state/positions.js';
import { Proven } from '../../src/state/proven.js';
import { storeSnapshot } from '../../src/state/stored.js';
import { openDatabase, type Db } from '../../src/store/database.js';
import { mixedHome } from '../support/app/mixed-home.js';
import { submit, type TemporaryHome, temporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { event } from '../support/codec/given-events.js';
import { builtAt, storeAt } from '../support/state/store-at.js';

const actor = 'operator';

const nodesOf = (db: Db): unknown => [
  db.prepare('SELECT * FROM snapshot_position ORDER BY level, n').all(),
  db.prepare('SELECT * FROM snapshot_name ORDER BY path').all(),
  db.prepare('SELECT * FROM snapshot_rows ORDER BY stream').all(),
  db.prepare('SELECT * FROM snapshot').all(),
];

const flushed = (db: Db, { signer }: Home): boolean =>
  db.transaction(() => flush(db, signer, new Proven(db, signer.publicKey, schema)))();

async function inMixedHome(work: (opened: Home, db: Db, home: TemporaryHome) => Promise<void> | void): Promise<void> {
  const { home } = await mixedHome();
  try {
    await home.with(async (opened) => {
      // A stream with more entries than are read again.
      for (let i = 0; i < 40; i++) {
        await pause(opened, actor);
        await resume(opened, actor);
      }
      await work(opened, opened.db, home);
    });
  } finally {
    home.remove();
  }
}

/** Returns commands that record entries of streams with few entries and with many, of goals that are completed, and of new missions. */
const drawn = (count: number, turn: number): Command<unknown>[] =>
  Array.from({ length: count }, (_, i) => (tx: Transaction): void => {
    const n = turn * count + i;
    if (n % 4 === 0) tx.append('@control', event(n % 8 === 0 ? 'control.paused' : 'control.resumed'));
    else if (n % 4 === 1) tx.append(uuidOf(n % 90), event('mission.submitted', { goal: `goal ${n % 7}` }));
    else if (n % 4 === 2) tx.append(uuidOf((n - 1) % 90), event('mission.completed'));
    else tx.append(uuidOf(1_000 * (turn + 1) + i), event('mission.submitted'));
  });

describe('the snapshot of the state', () => {
  it('is the same whether it was moved up to an entry or made of all entries', () =>
    inMixedHome((opened, db) => {
      const { size } = opened.writer.head;
      for (let from = 1; from < size; from += 7) {
        storeAt(opened, from);
        flushed(db, opened);
        const moved = nodesOf(db);
        storeAt(opened, size);
        assert.deepEqual(moved, nodesOf(db), `from ${from}`);
      }
    }));

  it('agrees with the entries and the tables, wherever it stands', () =>
    inMixedHome((opened, db) => {
      const { publicKey } = opened.signer;
      for (let at = 1; at <= opened.writer.head.size; at += 5) {
        storeAt(opened, at);
        for (const deep of [false, true]) assert.equal(snapshotFault({ db, publicKey, schema, deep }), null, `at ${at}`);
      }
    }));

  it('is not what was signed with its note in another row, or with a second one', () =>
    inMixedHome((opened, db) => {
      const { publicKey } = opened.signer;
      for (const sql of ['UPDATE snapshot SET id = 2', 'INSERT INTO snapshot SELECT 2, note FROM snapshot']) {
        storeAt(opened, opened.writer.head.size);
        db.pragma('ignore_check_constraints = ON');
        db.exec(sql);
        const found = snapshotFault({ db, publicKey, schema, deep: false });
        assert.ok(found !== null && found !== 'absent', sql);
      }
    }));

  it('is not what the entries say when a record of a stream is left out or says something else, though the key signed it', () =>
    inMixedHome((opened, db) => {
      const { publicKey } = opened.signer;
      const { size } = opened.writer.head;
      const built = builtAt(opened, size);
      const nodes = new Map(built.positions.map(({ level, n, bytes }) => [`${level}/${n}`, bytes]));
      const read = (): Positions => new Positions((level, n) => nodes.get(`${level}/${n}`) ?? null, size, built.roots.positions);
      const placed = [...read().walk(() => true, { before: size + 1, after: 0, oldestFirst: true })];
      for (const { position, record } of placed.filter((_, i) => i % 5 === 0)) {
        const own = record();
        const others = [{ count: own.count + 1 }, { history: Buffer.alloc(32) }, { row: Buffer.alloc(32) }];
        for (const other of [null, ...others.map((changes) => ({ ...own, ...changes }))]) {
          const positions = read();
          positions.set(position, other);
          const { root, changed } = positions.seal();
          const roots = { ...built.roots, positions: root };
          const whole = new Map([...built.positions, ...changed].map((node) => [`${node.level}/${node.n}`, node]));
          const altered = { ...built, roots, positions: [...whole.values()].filter(({ bytes }) => bytes !== null) };
          db.transaction(() => storeSnapshot(db, signedBuild(opened.signer, schema, altered), true))();
          const fault = snapshotFault({ db, publicKey, schema, deep: false });
          const isOfRows = other !== null && other.count === own.count && other.history === own.history;
          assert.ok(fault !== null && fault !== 'absent', `position ${position}`);
          assert.match(fault.detail, isOfRows ? /differs from what the entries|what was signed/ : /has other entries of/);
        }
      }
    }));

  it('has the roots that are made again in memory of fixed size', () =>
    inMixedHome((opened, db) => {
      const { size } = opened.writer.head;
      for (const at of [1, Math.floor(size / 2), size]) {
        const { roots } = builtAt(opened, at);
        for (const changes_max of [1, 3, 4_096]) assert.deepEqual(rebuiltRoots(db, schema, at, changes_max), roots, `at ${at}`);
      }
    }));

  it('is moved when a command ends and many entries follow it, at most so many at once', async () => {
    const home = temporaryHome();
    const baseOf = (): number => home.with(({ db }) => connectionOf(db).snapshot(() => connectionOf(db).proven?.base ?? 0));
    const record = ({ writer }: Home, count: number): void => {
      writer.begin();
      writer.run(Array.from({ length: count }, () => submit(recorded++)));
    };
    let recorded = 1;
    home.with((opened) => {
      record(opened, flush_entries_max + 1);
      assert.equal(opened.moveSnapshot(), false, 'made again of all entries');
    });
    const made = recorded;
    assert.equal(baseOf(), made);
    home.with((opened) => record(opened, tail_entries_max - 1));
    assert.equal(baseOf(), made);
    home.with((opened) => record(opened, 1));
    assert.equal(baseOf(), recorded);
    home.with((opened) => {
      const before = recorded;
      record(opened, flush_entries_max + tail_entries_max - 1);
      assert.equal(opened.moveSnapshot(), false);
      assert.equal(baseOf(), before + flush_entries_max);
      record(opened, flush_entries_max + 1);
      assert.equal(opened.moveSnapshot(), true);
      assert.equal(baseOf(), before + 2 * flush_entries_max);
    });
    assert.equal(baseOf(), recorded, 'by the end of the command');
    await home.with(async (opened) => assert.equal((await verifyHome(opened, { deep: true })).failure, null));
    home.remove();
  });

  it('is moved no further than the newest checkpoint was found to cover, and goes on from there', () => {
    const home = temporaryHome();
    home.with((opened) => {
      const { writer, db } = opened;
      const read = (): void => connectionOf(db).snapshot(() => assert.notEqual(connectionOf(db).proven, null));
      let recorded = 1;
      const record = (count: number): void => {
        writer.begin();
        const commands = Array.from({ length: count }, () => submit(recorded++));
        // The last command reads what it recorded, which no checkpoint covers yet.
        const outcomes = writer.run<unknown>([...commands, (tx) => (submit(recorded++)(tx), read())]);
        for (const outcome of outcomes) assert.ok('value' in outcome);
      };
      for (let i = 0; i < 3; i++) {
        record(tail_entries_max);
        opened.moveSnapshot();
        record(1);
        read();
      }
      assert.deepEqual(connectionOf(db).damage.found(), []);
      const { publicKey } = opened.signer;
      assert.equal(snapshotFault({ db, publicKey, schema, deep: true }), null);
    });
    home.remove();
  });

  it('is the same after many moves by processes that take turns, one of which was undone', async () => {
    const home = temporaryHome();
    const [one, other] = [home.open(), home.open()];
    const noteOf = ({ db }: Home): unknown => db.prepare('SELECT note FROM snapshot').pluck().get();
    for (let turn = 0; turn < 8; turn++) {
      const opened = turn % 4 === 3 ? other : one;
      for (const batch of [100, 180]) {
        opened.writer.begin();
        for (const outcome of opened.writer.run(drawn(batch, turn))) assert.ok('value' in outcome);
      }
      const before = noteOf(opened);
      if (turn === 5) {
        opened.db.exec("CREATE TEMP TRIGGER undo BEFORE UPDATE ON main.snapshot BEGIN SELECT RAISE(ABORT, 'undone'); END");
        assert.equal(opened.moveSnapshot(), false);
        assert.equal(noteOf(opened), before);
        opened.db.exec('DROP TRIGGER undo');
      }
      assert.equal(opened.moveSnapshot(), false);
      assert.notEqual(noteOf(opened), before);
    }
    const moved = nodesOf(other.db);
    storeAt(other, other.writer.head.size);
    assert.deepEqual(moved, nodesOf(other.db));
    other.close();
    one.close();
    home.remove();
  });

  it('is made again when it is lost or another one is in its place', async () => {
    const { home } = await mixedHome();
    const file = join(home.directory, 'journal.sqlite3');
    const whole = home.with(({ db, writer }) => ({ nodes: nodesOf(db), size: writer.head.size }));
    const changed = (sql: string): void => {
      const db = openDatabase(file);
      db.exec(sql);
      db.close();
    };
    changed('DELETE FROM snapshot');
    home.with(() => undefined);
    const made = home.with(({ db }) => nodesOf(db));
    assert.notDeepEqual(made, whole.nodes);
    for (const sql of [
      "UPDATE snapshot SET note = 'none'",
      "UPDATE snapshot SET note = replace(note, 'agent-state/1', 'agent-state/2')",
      'DELETE FROM snapshot; DELETE FROM snapshot_position; DELETE FROM snapshot_name; DELETE FROM snapshot_rows',
    ]) {
      changed(sql);
      home.with(({ db }) =>
        assert.equal(
          connectionOf(db).snapshot(() => connectionOf(db).proven?.base),
          whole.size,
        ),
      );
      home.with(({ db }) => assert.deepEqual(nodesOf(db), made, sql));
    }
    home.remove();
  });
});
