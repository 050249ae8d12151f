/** Suites of alterations: each is made in a copy of a journal with something of everything, and named by `verify`. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { richHome } from './rich-home.js';
import { alter, findingOf, forgetWitness, refusalAtOpen } from './tamper.js';

export const exec =
  (sql: string) =>
  (db: Db): void =>
    void db.exec(sql);

export async function inCopy(work: (home: TemporaryHome) => Promise<void>): Promise<void> {
  const home = await richHome();
  forgetWitness(home);
  try {
    await work(home);
  } finally {
    home.remove();
  }
}

export interface Case {
  readonly name: string;
  readonly change: (db: Db) => void;
  readonly detail: RegExp;
  readonly sequence?: number | null;
  /** Whether every command finds it. */
  readonly atOpen?: boolean;
  /** What it looks like, when not damage. */
  readonly code?: 'newer_version';
  /** Only `verify --deep` looks there. */
  readonly onlyDeep?: boolean;
}

export function suite(title: string, cases: readonly Case[], inHome = inCopy): void {
  describe(title, () => {
    for (const { name, change, detail, sequence = null, atOpen = false, onlyDeep = false, code = 'integrity' } of cases) {
      it(name, () =>
        inHome(async (home) => {
          alter(home, change);
          const [plain, deep] = [await findingOf(home, { deep: false }), await findingOf(home, { deep: true })];
          for (const finding of onlyDeep ? [deep] : [plain, deep]) {
            assert.deepEqual([finding?.code, finding?.sequence ?? null], [code, sequence], JSON.stringify(finding));
            assert.match(finding?.detail ?? '', detail);
          }
          assert.equal(onlyDeep ? plain : null, null);
          assert.equal(refusalAtOpen(home)?.code ?? null, atOpen ? code : null);
        }),
      );
    }
  });
}
