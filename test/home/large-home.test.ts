/** A journal too large to be checked at every command: a recent full verification, and every entry that is read. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Home } from '../../src/app/home/home.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { openAsIs } from '../../src/app/home/as-is.js';
import { checked_entries_max } from '../../src/base/limits.js';
import { RefusalError } from '../../src/base/result.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { alter } from '../journal/tamper.js';
import { submit, temporaryHome, type TemporaryHome } from '../support/temporary-home.js';

const batch = 1_000;
const day_ms = 86_400_000;

describe('a home of more entries than every command checks', () => {
  let made: TemporaryHome;
  before(() => {
    made = temporaryHome();
    made.with((home) => {
      for (let n = 0; n <= checked_entries_max; n += batch) {
        home.writer.begin();
        home.writer.run(Array.from({ length: batch }, (_, i) => submit(n + i)));
      }
    });
    forget();
  });
  after(() => made.remove());

  const notes = (): string[] => readdirSync(made.witness).filter((name) => name.endsWith('.verified'));
  const forget = (): void => notes().forEach((name) => rmSync(join(made.witness, name)));
  /** Opens the home; returns whether the whole journal was verified. */
  function isVerifiedBy(use: (home: Home) => void = () => undefined, home = made): boolean {
    let verified = 0;
    home.with(use, { onVerify: (n) => (verified = n) });
    return verified > checked_entries_max;
  }
  const refusal = (act: () => unknown): string | null => {
    try {
      act();
      return null;
    } catch (error) {
      assert.ok(error instanceof RefusalError, String(error));
      return error.refusal.code;
    }
  };
  const inCopy = (use: (copy: TemporaryHome) => void): void => {
    const copy = made.copy();
    try {
      use(copy);
    } finally {
      copy.remove();
    }
  };

  it('is verified once, which is noted beside the witness for seven days', () => {
    assert.equal(isVerifiedBy(), true);
    assert.equal(notes().length, 1);
    assert.equal(
      isVerifiedBy((home) => void home.writer.transact(submit(99_999))),
      false,
    );
    const now = made.clock.now;
    made.clock.now = now + 8 * day_ms;
    assert.equal(isVerifiedBy(), true, 'an old note');
    assert.equal(isVerifiedBy(), false);
    made.clock.now = now;
    assert.equal(isVerifiedBy(), true, 'a note from the future');
  });

  it('is not verified again after verify', async () => {
    forget();
    const opened = openAsIs(made.world, {});
    assert.equal((await verifyHome(opened, { deep: false })).valid, true);
    opened.close();
    assert.equal(isVerifiedBy(), false);
  });

  it('is refused when an older entry was altered and no recent verification is known', () =>
    inCopy((copy) => {
      for (const name of readdirSync(copy.witness).filter((each) => each.endsWith('.verified'))) rmSync(join(copy.witness, name));
      alter(copy, (db) => db.exec(`UPDATE events SET body = replace(body, '"sequence":7', '"sequence": 7') WHERE seq = 7`));
      assert.equal(
        refusal(() => copy.with(() => undefined)),
        'integrity',
      );
    }));

  it('has an altered entry refused when it is read', () =>
    inCopy((copy) => {
      const stream = copy.with(
        ({ db }) => db.prepare<[], string>('SELECT mission FROM events WHERE seq = 7').pluck().get() ?? '',
      );
      alter(copy, (db) => db.exec(`UPDATE events SET body = replace(body, '"time":"2026', '"time":"2025') WHERE seq = 7`));
      copy.with(({ db }) =>
        assert.equal(
          refusal(() => entriesOfStream(db, stream)),
          'integrity',
        ),
      );
    }));
});
