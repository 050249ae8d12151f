/** Suites of alterations: each is made in a copy of a journal with something of everything, and named by `verify`. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, pause, resume } from '../../src/app/control/control.js';
import { unwrap } from '../../src/base/refusal.js';
import { configCodec, configText } from '../../src/codec/config.js';
import { decode } from '../../src/codec/kit.js';
import type { Command } from '../../src/journal/writer.js';
import type { Db } from '../../src/store/database.js';
import { sharedHome, submit, submitted, type TemporaryHome, temporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { alter, findingOf, flip, forgetWitness, refusalAtOpen } from './tamper.js';

export async function inCopy(work: (home: TemporaryHome) => Promise<void>): Promise<void> {
  const home = await richHome();
  forgetWitness(home);
  try {
    await work(home);
  } finally {
    home.remove();
  }
}

/** SQL, or what it cannot do. */
type Alteration = string | ((db: Db, home: TemporaryHome) => unknown);

interface Expected {
  /** Whether every command finds it; not looked at when undefined. */
  readonly atOpen?: boolean | undefined;
  /** What it looks like, when not damage. */
  readonly code?: 'newer_version';
}

/** An alteration, what `verify` says of it, and the first bad sequence: null for what belongs to no entry. */
export type Case = readonly [name: string, change: Alteration, detail: RegExp, sequence?: number | null, expected?: Expected];

export function suite(title: string, usual: Expected, cases: readonly Case[], inHome = inCopy): void {
  describe(title, () => {
    for (const [name, change, detail, sequence = null, expected] of cases) {
      const { atOpen, code = 'integrity' } = { ...usual, ...expected };
      it(name, () =>
        inHome(async (home) => {
          alter(home, typeof change === 'string' ? change : (db) => change(db, home));
          for (const deep of [false, true]) {
            const finding = await findingOf(home, { deep });
            assert.deepEqual([finding?.code, finding?.sequence ?? null], [code, sequence], JSON.stringify(finding));
            assert.match(finding?.detail ?? '', detail);
          }
          if (atOpen !== undefined) assert.equal(refusalAtOpen(home)?.code ?? null, atOpen ? code : null);
        }),
      );
    }
  });
}

/** Changes one character or byte of a value. */
export const flipped =
  (table: string, column: string, where: string, at: number) =>
  (db: Db): void =>
    flip(db, table, column, where, at);

const definition = 'CREATE INDEX events_mission ON events(mission, seq)';

function setSchema(db: Db, sql: string): void {
  db.unsafeMode();
  const version = Number(db.pragma('schema_version', { simple: true }));
  db.exec(`PRAGMA writable_schema = ON; ${sql}; PRAGMA schema_version = ${version + 1}; PRAGMA writable_schema = RESET`);
}

/** Fills the index by another definition and puts the right one back. */
export const filledBy =
  (columns: string) =>
  (db: Db): void => {
    db.exec(`DROP INDEX events_mission; CREATE INDEX events_mission ON events${columns}`);
    setSchema(db, `UPDATE sqlite_master SET sql = '${definition}' WHERE name = 'events_mission'`);
  };

/** Puts an index over other rows, of a row number and a key, in the place of an index. */
function replaceIndex(db: Db, name: string, columns: string, select: string): void {
  db.exec(`CREATE TABLE other(id INTEGER PRIMARY KEY, ${columns}); INSERT INTO other ${select};
    CREATE INDEX other_index ON other(${columns})`);
  setSchema(
    db,
    `UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'other_index') WHERE name = '${name}';
     DELETE FROM sqlite_master WHERE tbl_name = 'other'`,
  );
}

/** Fills the index of the streams with the rows (sequence, stream, sequence) of a query. */
export const filledFrom =
  (select: string) =>
  (db: Db): void =>
    replaceIndex(db, 'events_mission', 'mission, seq', select);

/** Fills the index of the blobs with the rows (row number, hash) of a query. */
export const blobsFilledFrom =
  (select: string) =>
  (db: Db): void =>
    replaceIndex(db, 'sqlite_autoindex_blob_1', 'hash', select);

export const newest = 620;

/** Queues mission 1 with its request in a blob. */
const submitApart: Command<number> = (tx) => {
  const request_blob = tx.putBlob(Buffer.from('{"goal":"a source text"}'));
  const { type, document } = submitted('with a blob');
  if (type !== 'mission.submitted') throw new Error('unreachable');
  const { request: _, ...rest } = document;
  return tx.append(uuidOf(1), { type, document: { ...rest, request_blob } }).sequence;
};

/** `newest` entries: single transactions and batches, a replaced configuration, blobs, two complete tiles and the beginning of a third. */
async function makeRichHome(): Promise<TemporaryHome> {
  const made = temporaryHome();
  await made.with(async (home) => {
    const file = join(made.root, 'config-two.json');
    writeFileSync(file, configText(unwrap(decode(configCodec, { name: 'two' }))));
    await pause(home, 'me');
    await configure(home, file, 'me');
    await resume(home, 'me');
    home.writer.transact(submitApart);
    for (let n = 2; home.writer.head.size < newest - 5; n += 50) {
      home.writer.begin();
      home.writer.run(Array.from({ length: Math.min(50, newest - 5 - home.writer.head.size) }, (_, i) => submit(n + i)));
    }
    for (let n = 1_000; home.writer.head.size < newest; n++) home.writer.transact(submit(n));
  });
  return made;
}

const template = sharedHome(makeRichHome);

/** A copy of its own of such a journal, with its witness. */
export const richHome = async (): Promise<TemporaryHome> => (await template.get()).copy();
