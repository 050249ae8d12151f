/** A rebuild lets others write meanwhile, verifies what it replays, and leaves the tables, their snapshot and the schema as they should be. */
import assert from 'node:assert/strict';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import type { Command } from '../../src/journal/writer.js';
import { countByState } from '../../src/tables/missions.js';
import { schema } from '../../src/tables/projections.js';
import { Proven } from '../../src/state/proven.js';
import type { Db } from '../../src/store/database.js';
import { throwsRefusal } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, submit, submitted, uuidOf } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';

const quiet = (): undefined => undefined;
/** Entries after which a rebuild tells its progress for the first time. */
const entries = 10_000;
const tolerate = ['config', 'schema', 'tables'] as const;
const goals = (db: Db): unknown[] => db.prepare<[], unknown>('SELECT DISTINCT goal FROM mission').pluck().all();

const submitAll =
  (missions: number): Command<null> =>
  (tx) => {
    for (let n = 1; n <= missions; n++) tx.append(uuidOf(n), submitted('try'));
    return null;
  };

/** More than one tile of the tree: of the first entries, the opening of a home reads the tiles only. */
const tiled = 300;

describe('a rebuild', () => {
  const homes = homeForEach();

  homes.it('lets others record while it replays the entries, and has what they recorded', (home) => {
    home.writer.transact(submitAll(entries));
    home.db.exec('DELETE FROM mission');
    let recorded = 0;
    const { head } = rebuildHome(home, () => {
      recorded++;
      homes.get().with(({ writer }) => writer.transact(submit(entries + recorded)), { isUrgent: true, tolerate });
    });
    assert.ok(recorded >= 2, `${recorded} calls`);
    assert.equal(head.size, 1 + entries + recorded);
    assert.equal(countByState(home.db)['queued'], entries + recorded);
    assert.equal(new Proven(home.db, home.signer.publicKey, schema).base, 1 + entries);
  });

  homes.it('stores a snapshot that a verification makes again', async (home) => {
    for (const n of [1, 2, 3]) home.writer.transact(submit(n));
    home.db.exec('UPDATE mission SET goal = goal || 1');
    rebuildHome(home, quiet);
    assert.equal(new Proven(home.db, home.signer.publicKey, schema).base, 4);
    assert.equal((await verifyHome(home, { deep: true })).valid, true);
  });

  for (const [what, sql] of [
    ['bytes', `UPDATE events SET body = replace(body, '"try"', '"fly"') WHERE seq = 3`],
    ['stream', `UPDATE events SET mission = '${uuidOf(9)}' WHERE seq = 3`],
    ['signature', 'UPDATE events SET signature = (SELECT signature FROM events WHERE seq = 2) WHERE seq = 3'],
  ] as const)
    it(`refuses an entry of which the ${what} changed, and leaves the tables as they are`, () => {
      homes.get().with(({ writer }) => writer.transact(submitAll(tiled)));
      tamper(homes.get(), (db) => {
        withoutTriggers(db, () => db.exec(sql));
        db.exec("UPDATE mission SET goal = 'other'; DELETE FROM projection WHERE name = 'tokens'");
      });
      homes.get().with(
        (home) => {
          const { detail } = throwsRefusal(() => rebuildHome(home, quiet), 'integrity');
          assert.match(detail, what === 'signature' ? /root of the tree/ : /^entry 3\b/);
          assert.deepEqual(goals(home.db), ['other']);
        },
        { tolerate },
      );
    });

  it('removes indexes and triggers that are not of the program, and makes its own ones again', async () => {
    tamper(
      homes.get(),
      `CREATE INDEX more ON events(hash); CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM mission; END;
       DROP TRIGGER events_update; DROP INDEX events_mission; CREATE INDEX events_mission ON events(mission) WHERE seq < 2`,
    );
    throwsRefusal(() => homes.get().open(), 'integrity');
    const { removed } = homes.get().with((home) => rebuildHome(home, quiet), { tolerate });
    assert.deepEqual(removed, [
      { type: 'trigger', name: 'quiet' },
      { type: 'index', name: 'events_mission' },
      { type: 'index', name: 'more' },
    ]);
    await homes.get().with(async (home) => {
      home.writer.transact(submit(1));
      assert.equal((await verifyHome(home, { deep: true })).valid, true);
    });
  });

  it('names a backup as the way out where it cannot repair the schema', () => {
    tamper(homes.get(), 'ALTER TABLE blob ADD COLUMN more TEXT');
    const refusal = throwsRefusal(() => homes.get().with((home) => rebuildHome(home, quiet), { tolerate }), 'integrity');
    assert.match(refusal.detail, /altered table blob, which a rebuild cannot repair: restore a backup$/);
    assert.equal(refusal.hint, 'agent-cli restore --help');
  });
});
