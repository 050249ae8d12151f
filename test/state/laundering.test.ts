/**
 * Somebody without the key alters what is stored before a process moves the snapshot of the state. The new snapshot is the one that the signed
 * entries make, or there is none.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { RefusalError } from '../../src/base/refusal.js';
import type { Event } from '../../src/codec/event.js';
import type { Db } from '../../src/store/database.js';
import { connectionOf } from '../../src/tables/connection.js';
import { searchMissions } from '../../src/tables/missions.js';
import { alteredValues, deleted, tamper, type Alteration } from '../support/app/mixed-home.js';
import { sharedHome, submitted, temporaryHome, uuidOf, type TemporaryHome } from '../support/app/temporary-home.js';
import { event } from '../support/codec/given-events.js';
import { atEffort } from '../support/effort.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { onFile, setSql } from '../sweep/alter.js';

/** Entry n of a journal: of a stream with many entries, of one with some, or of one that begins or ends. */
function entry(n: number): readonly [string, Event] {
  if (n % 4 === 0) return ['@control', event(n % 8 === 0 ? 'control.paused' : 'control.resumed')];
  if (n % 4 === 1) return [`@token:t${n % 3}`, event(n < 12 ? 'token.created' : 'token.rotated', { token_sha256: hashOf(n) })];
  if (n % 4 === 2) return [uuidOf(n), submitted(`mission ${n % 7}`)];
  return n < 8 ? [uuidOf(n), submitted(`mission ${n}`)] : [uuidOf(n - 5), event('mission.cancelled')];
}

const hashOf = (n: number): string => n.toString(16).padStart(64, '0');
const before = 280;
const more = 300;

function append({ writer }: ReturnType<TemporaryHome['open']>, from: number, count: number): void {
  writer.transact((tx) => {
    for (let n = from; n < from + count; n++) tx.append(...entry(n));
  });
}

const noteOf = (db: Db): unknown => db.prepare('SELECT note FROM snapshot').pluck().get();
const fileOf = ({ directory }: TemporaryHome): string => join(directory, 'journal.sqlite3');

async function makeHome(): Promise<TemporaryHome> {
  const home = temporaryHome();
  home.with((opened) => append(opened, 0, before));
  home.with(() => undefined);
  home.with(({ db }) =>
    assert.equal(
      connectionOf(db).snapshot(() => connectionOf(db).proven?.base),
      before + 1,
    ),
  );
  return home;
}

const flipped = (table: string, column: string, where: string): Alteration => ({
  title: `${table}.${column} where ${where}`,
  change: (db) => {
    const bytes = db.prepare<[], Buffer>(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck().get() ?? assert.fail(where);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(bytes);
  },
});

const removed = (table: string, where: string): Alteration => ({
  title: `${table} without ${where}`,
  change: (db) => void db.exec(`DELETE FROM ${table} WHERE ${where}`),
});

const updated = (set: string, where: string): Alteration => ({
  title: `events with ${set} where ${where}`,
  change: (db) => assert.ok(db.prepare(`UPDATE events SET ${set} WHERE ${where}`).run().changes > 0),
});

/** Makes an index again without an entry; the schema says what it said. */
function withoutInIndex(file: string, seq: number): void {
  onFile(file, (db) => {
    const { name, sql } =
      db
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'events' AND sql IS NOT NULL",
        )
        .get() ?? assert.fail('no index');
    db.exec(`DROP INDEX ${name}; ${sql} WHERE seq <> ${seq}`);
    setSql(db, name, sql);
  });
}

function alterations(db: Db): Alteration[] {
  const nodes = db.prepare<[], { level: number; n: number }>('SELECT level, n FROM snapshot_position').all();
  const paths = db.prepare<[], string>('SELECT path FROM snapshot_name').pluck().all();
  const newest = (stream: string): string => `seq = (SELECT max(seq) FROM events WHERE mission = '${stream}')`;
  const streams = ['@control', '@token:t1', uuidOf(2), uuidOf(10)];
  return [
    ...alteredValues(db, 'mission', `id = '${uuidOf(2)}'`),
    ...alteredValues(db, 'control', 'id = 1'),
    ...alteredValues(db, 'token', "name = 't1'").filter(({ title }) => title !== 'token.name'),
    deleted('mission', '1'),
    deleted('token', "name = 't1'"),
    deleted('control', '1'),
    ...nodes.flatMap(({ level, n }) => [
      flipped('snapshot_position', 'bytes', `level = ${level} AND n = ${n}`),
      removed('snapshot_position', `level = ${level} AND n = ${n}`),
    ]),
    ...paths.flatMap((path) => [
      flipped('snapshot_name', 'bytes', `path = '${path}'`),
      removed('snapshot_name', `path = '${path}'`),
    ]),
    removed('snapshot_rows', '1'),
    {
      title: 'snapshot_rows with other rows',
      change: (altered) => void altered.exec("UPDATE snapshot_rows SET rows = replace(rows, 'paused', 'ready')"),
    },
    {
      title: 'the note of another use',
      change: (altered) => void altered.exec("UPDATE snapshot SET note = replace(note, 'agent-state/1', 'agent-state/2')"),
    },
    flipped('tile', 'hashes', 'level = 0 AND n = 0'),
    ...streams.flatMap((stream) => [
      updated(`mission = '${uuidOf(6)}'`, newest(stream)),
      updated(`mission = '@other'`, `seq = (SELECT min(seq) FROM events WHERE mission = '${stream}')`),
      updated('body = replace(body, \'"time":"2026\', \'"time":"2025\')', newest(stream)),
    ]),
    ...[1, 100, before - 20, before + 1].flatMap((seq) => [
      updated("hash = replace(hash, '0', '1')", `seq = ${seq}`),
      updated(`signature = (SELECT signature FROM events WHERE seq = ${seq + (seq > before ? -1 : 1)})`, `seq = ${seq}`),
      updated('seq = 100000', `seq = ${seq}`),
    ]),
  ];
}

describe('a snapshot that is moved after something was altered', () => {
  const shared = sharedHome(makeHome);

  /** Returns the note after more entries and a move, which may have been refused. */
  function moved(home: TemporaryHome, isWarm: boolean, alter: (file: string) => void): unknown {
    const opened = home.open();
    // Whoever reads keeps nodes and states in memory.
    searchMissions(opened.db, { limit: 1_000, scan_max: 1_000 });
    alter(fileOf(home));
    if (!isWarm) connectionOf(opened.db).restart();
    try {
      append(opened, before, more);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
    opened.close();
    return onFile(fileOf(home), noteOf);
  }

  it('is the one that the signed entries make, or is not moved', async () => {
    const home = await shared.get();
    const stored = onFile(fileOf(home), noteOf);
    const untouched = home.copy();
    const expected = moved(untouched, true, () => undefined);
    untouched.remove();
    assert.notEqual(expected, stored);
    const all = onFile(fileOf(home), (db) => alterations(db)).map(({ title, change }) => ({
      title,
      alter: (file: string): void => tamper({ directory: join(file, '..') }, (db) => withoutTriggers(db, () => change(db))),
    }));
    for (const seq of [before - 3, before - 1])
      all.push({ title: `an index without ${seq}`, alter: (file) => withoutInIndex(file, seq) });
    const due = atEffort(
      all.filter(({ title }, i) => i % 6 === 0 || title.startsWith('tile')),
      all,
    );
    const outcomes = { moved: 0, kept: 0 };
    for (const { title, alter } of due) {
      for (const isWarm of [true, false]) {
        const copy = home.copy();
        const note = moved(copy, isWarm, alter);
        const isKept = note === stored || title.startsWith('the note');
        if (!isKept) assert.equal(note, expected, `${title}, ${isWarm ? 'warm' : 'cold'}`);
        outcomes[isKept ? 'kept' : 'moved']++;
        copy.remove();
      }
    }
    console.log(`      moved ${outcomes.moved}, not moved ${outcomes.kept}`);
    assert.ok(outcomes.moved > 0 && outcomes.kept > 0);
  });
});
