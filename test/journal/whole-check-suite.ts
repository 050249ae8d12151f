/** Changes to a copy of a rich journal, each with what the check of the whole journal must say of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { checkWhole, type WholeReport } from '../../src/journal/whole-check.js';
import { type Db, openDatabase } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/app/temporary-home.js';
import { richHome } from './tamper-suite.js';
import { alter, signerOf } from './tamper.js';

/** An entry that neither the first nor the last tile covers, and that is in the middle of a transaction. */
export const middle = 330;

export function check(home: TemporaryHome): WholeReport {
  const db = openDatabase(join(home.directory, 'journal.sqlite3'), { readonly: true });
  try {
    return checkWhole(db, signerOf(home).publicKey);
  } finally {
    db.close();
  }
}

export interface Case {
  readonly name: string;
  readonly change: (db: Db, home: TemporaryHome) => void;
  /** The first bad sequence; null for damage that belongs to no entry. */
  readonly sequence: number | null;
  readonly detail: RegExp;
}

export function finds(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const { name, change, sequence, detail } of cases) {
      it(name, async () => {
        const home = await richHome();
        try {
          alter(home, (db) => change(db, home));
          const { failure } = check(home);
          assert.deepEqual([failure?.code, failure?.facts?.['sequence'] ?? null], ['integrity', sequence], failure?.detail);
          assert.match(failure?.detail ?? '', detail);
        } finally {
          home.remove();
        }
      });
    }
  });
}

export const exec =
  (sql: string) =>
  (db: Db): void =>
    void db.exec(sql);

/** Changes the definition of a table or index without its content. */
export function redefine(db: Db, name: string, sql: string): void {
  db.unsafeMode();
  db.pragma('writable_schema = ON');
  db.prepare('UPDATE sqlite_master SET sql = ? WHERE name = ?').run(sql, name);
  db.pragma('writable_schema = RESET');
  db.unsafeMode(false);
}
