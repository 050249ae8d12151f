/** What stops work reads only the entries of what it stops; and a process that keeps a journal open while others alter it or put an earlier one back. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { pause } from '../../src/app/control/control.js';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { cancelMission } from '../../src/app/missions/missions.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { actor, refusalOf } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, sharedHome, submit, temporaryHome, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { atEffort } from '../support/effort.js';
import { activeTokens } from '../../src/app/tokens/authenticate.js';
import { connectionOf } from '../../src/tables/connection.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { whileReplaced } from '../support/while-replaced.js';
import { join } from 'node:path';

const entries = atEffort(4_000, 20_000);
/** Each entry that is read is hashed, and the last tiles of the tree are: that many, however large the journal is. */
const hashes_max = 3_000;

async function makeHome(): Promise<TemporaryHome> {
  const home = temporaryHome();
  await home.with(async (opened) => {
    opened.writer.transact((tx) => {
      for (let n = 0; n < entries; n++) submit(n)(tx);
    });
    await createToken(opened, 'ci', 'viewer', actor);
  });
  tamper(home, 'DELETE FROM snapshot');
  return home;
}

/** Number of hashes that are computed until `work` has ended. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const whole = crypto.hash;
  let count = 0;
  const counting = (...args: Parameters<typeof whole>): ReturnType<typeof whole> => {
    count++;
    return whole(...args);
  };
  await whileReplaced(crypto, { hash: counting }, work);
  return count;
}

describe(`in a home of ${entries} entries without a snapshot`, () => {
  const shared = sharedHome(makeHome);
  const works: Readonly<Record<string, (home: Home) => Promise<unknown>>> = {
    cancel: (home) => cancelMission(home, uuidOf(entries / 2), actor),
    'token revoke': (home) => revokeToken(home, 'ci', actor),
    pause: (home) => pause(home, actor),
  };
  for (const [name, work] of Object.entries(works)) {
    it(`${name} reads few of them`, async () => {
      const home = await shared.get();
      const count = await hashesOf(() => home.with(work, { isUrgent: true, tolerate: damageFaults }));
      assert.ok(count > 0 && count <= hashes_max, `${count} hashes`);
    });
  }

  it('another command reads all of them once', async () => {
    const home = await shared.get();
    const [first, second] = [
      await hashesOf(async () => home.with(() => undefined)),
      await hashesOf(async () => home.with(() => undefined)),
    ];
    assert.ok(first > entries && second <= hashes_max, `${first} and ${second} hashes`);
  });
});

const homes = homeForEach();

/** Queues missions in one commit. */
function queue({ writer }: Home, from: number, count: number): void {
  writer.begin();
  for (const outcome of writer.run(Array.from({ length: count }, (_, i) => submit(from + i)))) assert.ok('value' in outcome);
}

/** Puts every table of a journal back as it was in a copy. */
function putBack({ directory }: TemporaryHome, copy: string): void {
  tamper({ directory }, (db) => {
    db.exec(`ATTACH '${copy}' AS was`);
    const tables = db
      .prepare<[], string>("SELECT name FROM was.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all();
    db.transaction(() =>
      withoutTriggers(db, () => {
        for (const table of tables) db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM was.${table}`);
      }),
    )();
  });
}

describe('an earlier journal that is put back beside a process', () => {
  for (const [title, more] of [
    ['before the newest snapshot', 300],
    ['after it', 3],
  ] as const)
    it(`is refused for as long as the process runs: of ${title}`, async () => {
      const home = homes.get();
      const token = await home.with(async (opened) => (await createToken(opened, 'ci', 'admin', actor)).token);
      const copy = join(home.root, 'copy.sqlite3');
      home.with(({ db }) => db.exec(`VACUUM INTO '${copy}'`));
      const opened = home.open();
      const authenticate = activeTokens(opened).ownerOf;
      assert.equal(authenticate(token)?.name, 'ci');
      await home.with(async (other) => {
        await revokeToken(other, 'ci', actor);
        queue(other, 0, more);
      });
      assert.equal(authenticate(token), null);
      putBack(home, copy);
      for (let n = 0; n < 3; n++) assert.equal(refusalOf(() => authenticate(token))?.code, 'rollback');
      opened.close();
    });
});

describe('a process beside others', () => {
  const baseOf = ({ db }: Home): number | undefined => connectionOf(db).snapshot(() => connectionOf(db).proven?.base);

  it('reads by the snapshot that another one has stored, also where it made one for itself', () => {
    const home = homes.get();
    home.with((opened) => queue(opened, 0, 300));
    tamper(home, 'DELETE FROM snapshot');
    const opened = home.open();
    assert.equal(baseOf(opened), 301);
    home.with((other) => queue(other, 300, 300));
    assert.equal(baseOf(opened), 301, 'the other one made it at its start');
    home.with((other) => other.writer.transact(submit(600)));
    home.with((other) => queue(other, 601, 300));
    assert.equal(baseOf(opened), 902);
    const stored = home.with(({ db }) => db.prepare('SELECT note FROM snapshot').pluck().get());
    opened.close();
    assert.equal(
      home.with(({ db }) => db.prepare('SELECT note FROM snapshot').pluck().get()),
      stored,
    );
  });
});
