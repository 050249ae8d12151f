/** Somebody without the key hides the newest entry of a mission, or alters its row: no list leaves it out or shows it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { setToolStatus } from '../../src/app/tools/manifests.js';
import { addWorkerKey } from '../../src/app/workers/register.js';
import { cancelMission } from '../../src/app/missions/missions.js';
import { Recent } from '../../src/base/recent.js';
import { connectionOf } from '../../src/tables/connection.js';
import { listMissions } from '../../src/tables/missions.js';
import { alter } from '../journal/tamper.js';
import { actor, execute, fakeEngine, forecast, queued } from '../support/app/given-home.js';
import { sharedHome, temporaryHome, uuidOf, type TemporaryHome } from '../support/app/temporary-home.js';
import { alterRows, setValue } from '../sweep/alter.js';
import { storeAt } from '../support/state/store-at.js';
import { refused } from '../support/refused.js';

const [earlier, changed, hidden] = [uuidOf(1), uuidOf(2), uuidOf(3)];
const worker_key = 'c1'.repeat(32);

/** Things that were there before a mission awaits review, all of them in the snapshot; one was changed since. */
async function makeHome(): Promise<TemporaryHome> {
  const made = temporaryHome();
  await made.with(async (home) => {
    await queued(home, forecast('earlier'), earlier);
    await queued(home, forecast('to be changed'), changed);
    await setToolStatus(home, 'backup', { to: 'deprecated', note: 'why', actor });
    await addWorkerKey(home, worker_key, 'rack-1', actor);
    await queued(home, forecast('look at it'), hidden);
    await execute(home, hidden, { runEngine: fakeEngine() });
  });
  made.with((home) => storeAt(home, home.writer.head.size));
  await made.with((home) => cancelMission(home, changed, actor));
  return made;
}

const refusesIntegrity = (read: () => unknown): void => assert.throws(read, refused('integrity'));

describe('a list', () => {
  const shared = sharedHome(makeHome);
  const streams: Readonly<Record<string, string>> = {
    'another mission': earlier,
    'a mission with newer entries': changed,
    'a tool': '@tool:backup',
    'the stream of a worker key': `@worker:${worker_key}`,
    'a tool that there never was': '@tool:none',
    'a mission that there never was': uuidOf(9),
  };
  for (const [what, stream] of Object.entries(streams)) {
    it(`misses an entry that was moved to ${what}`, async () => {
      const copy = (await shared.get()).copy();
      try {
        alter(copy, (db) => {
          const newest = '(SELECT max(seq) FROM events WHERE mission = ?)';
          assert.equal(db.prepare(`UPDATE events SET mission = ? WHERE seq = ${newest}`).run(stream, hidden).changes, 1);
        });
        copy.with(({ db }) => {
          for (const filter of [{}, { state: 'review' }, { cursor: 16 }] as const)
            refusesIntegrity(() => listMissions(db, { limit: 100, ...filter }));
        });
      } finally {
        copy.remove();
      }
    });
  }

  it('misses an entry whose stream is named by a value of another type', async () => {
    const copy = (await shared.get()).copy();
    try {
      alterRows(join(copy.directory, 'journal.sqlite3'), (db) => {
        const seq = db.prepare<[string], number>('SELECT max(seq) FROM events WHERE mission = ?').pluck().get(hidden) ?? 0;
        setValue(db, 'events', { seq }, 'mission', Buffer.from(hidden));
      });
      copy.with(({ db }) => refusesIntegrity(() => listMissions(db, { limit: 100 })));
    } finally {
      copy.remove();
    }
  });

  for (const [what, id] of Object.entries({ 'of the snapshot': hidden, 'with newer entries': changed })) {
    it(`misses a value of another type in the row of a mission ${what}`, async () => {
      const copy = (await shared.get()).copy();
      try {
        alterRows(join(copy.directory, 'journal.sqlite3'), (db) => setValue(db, 'mission', { id }, 'record', Buffer.from('{}')));
        copy.with(({ db }) => refusesIntegrity(() => listMissions(db, { limit: 100 })));
      } finally {
        copy.remove();
      }
    });
  }

  it('misses it too where the other mission was read before, and what was known of it is no longer kept', async () => {
    const copy = (await shared.get()).copy();
    copy.with(({ db }) => {
      const list = (): unknown => listMissions(db, { state: 'review', limit: 100 });
      listMissions(db, { limit: 100 });
      list();
      alter(copy, (other) => {
        const newest = '(SELECT max(seq) FROM events WHERE mission = ?)';
        other.prepare(`UPDATE events SET mission = ? WHERE seq = ${newest}`).run(changed, hidden);
      });
      const { proven } = connectionOf(db);
      for (const known of ['standings', 'settled']) Reflect.set(proven!, known, new Recent(1));
      refusesIntegrity(list);
    });
    copy.remove();
  });
});
