/** Somebody without the key hides the newest entry of a mission: no list leaves the mission out. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { setToolStatus } from '../../src/app/tools/change.js';
import { addWorkerKey } from '../../src/app/workers/keys.js';
import { cancelMission } from '../../src/app/missions/missions.js';
import { RefusalError } from '../../src/base/result.js';
import { listMissions } from '../../src/tables/missions.js';
import { alter } from '../journal/tamper.js';
import { actor, execute, fakeEngine, forecast, queued } from '../support/app/given-home.js';
import { sharedHome, temporaryHome, uuidOf, type TemporaryHome } from '../support/app/temporary-home.js';
import { storeAt } from '../support/state/store-at.js';

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
            assert.throws(
              () => listMissions(db, { limit: 100, ...filter }),
              (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
            );
        });
      } finally {
        copy.remove();
      }
    });
  }
});
