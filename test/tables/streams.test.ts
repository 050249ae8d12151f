/** What is shown of a stream, and of a list, is all of it: an entry that was hidden from the index, or moved, is damage. */
import assert from 'node:assert/strict';
import { busStream, followEnvelopes, newestEnvelopes, recentOpenEnvelopes } from '../../src/app/bus/records.js';
import { recordedRestarts } from '../../src/app/daemon/background.js';
import { exportText } from '../../src/app/exports/export.js';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { cancelMission, listPage } from '../../src/app/missions/missions.js';
import { entryPart, missionEntries } from '../../src/app/operator/entries.js';
import { busName } from '../../src/domain/stream.js';
import { event } from '../support/codec/given-events.js';
import { actor, execute, fakeEngine, forecast, laterRefusalOf, queued, refusalOf } from '../support/app/given-home.js';
import { type MixedHome, sharedMixedHome, tamper } from '../support/app/mixed-home.js';
import { sharedHome, submit, type TemporaryHome, temporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { setToolStatus } from '../../src/app/tools/tools.js';
import { addWorkerKey } from '../../src/app/workers/register.js';
import { Recent } from '../../src/base/recent.js';
import { connectionOf } from '../../src/tables/connection.js';
import { searchMissions } from '../../src/tables/missions.js';
import { alter } from '../journal/tamper.js';
import { refused } from '../support/refused.js';
import { storeAt } from '../support/state/store-at.js';
import { alterRows, setValue } from '../sweep/alter.js';
import { join } from 'node:path';

const agent = '@agent:market';

/** Three entries on a stream, and a snapshot of all entries of the journal. */
function recordThree(home: TemporaryHome): void {
  home.with(({ writer }) => {
    for (const restarts of [1, 2, 3])
      writer.transact((tx) => {
        tx.append(agent, event('agent.restarted', { restarts }));
        tx.append(busName, event('bus.received'));
      });
  });
  tamper(home, 'DELETE FROM snapshot');
  home.with(() => undefined);
}

describe('the entries of a stream', () => {
  const template = sharedMixedHome();
  const completed = ({ missions }: MixedHome): string => missions.completed;

  const reads: readonly {
    readonly title: string;
    readonly stream: (given: MixedHome) => string;
    readonly read: (home: Home, given: MixedHome) => unknown;
  }[] = [
    { title: 'the entries of a mission', stream: completed, read: (home, given) => missionEntries(home, completed(given)) },
    {
      title: 'the journal, narrowed to a mission',
      stream: completed,
      read: (home, given) => entryPart(home, undefined, undefined, { mission: completed(given) }),
    },
    { title: 'where a person acted', stream: completed, read: (home) => listPage(home, { q: 'done', actor: 'nobody' }) },
    { title: 'an export', stream: completed, read: (home, given) => exportText(home, completed(given)) },
    { title: 'the restarts of an agent', stream: () => agent, read: (home) => recordedRestarts(home) },
    { title: 'the newest envelopes', stream: () => busName, read: (home) => [...newestEnvelopes(home, 1)] },
    { title: 'the envelopes that count', stream: () => busName, read: (home) => recentOpenEnvelopes(home) },
  ];

  const copied = async (): Promise<{ readonly home: TemporaryHome; readonly given: MixedHome }> => {
    const given = await template.get();
    const home = given.home.copy();
    recordThree(home);
    return { home, given };
  };

  for (const { title, stream, read } of reads)
    it(`are all there or refused: ${title}`, async () => {
      const { home, given } = await copied();
      const hidden = home.with((opened) => {
        const refusal = refusalOf(() => read(opened, given));
        assert.equal(refusal, null);
        const sequences = opened.db.prepare<[string], number>('SELECT seq FROM events WHERE mission = ? ORDER BY seq').pluck();
        return sequences.all(stream(given))[1];
      });
      for (const other of ['other', '@tool:export']) {
        const altered = home.copy();
        alter(altered, `UPDATE events SET mission = '${other}' WHERE seq = ${hidden}`);
        altered.with((opened) => {
          const refusal = refusalOf(() => read(opened, given));
          assert.equal(refusal?.code, 'integrity');
          assert.match(refusal.detail, /is hidden/);
        });
        altered.remove();
      }
      home.remove();
    });

  it('are shown as far as they are found where damage is tolerated', async () => {
    const { home, given } = await copied();
    const entriesOf = (opened: Home): readonly number[] =>
      missionEntries(opened, given.missions.completed).items.map(({ sequence }) => sequence);
    const [first, second, ...rest] = home.with(entriesOf);
    alter(home, `UPDATE events SET mission = 'other' WHERE seq = ${second}`);
    home.with(
      (opened) => {
        assert.deepEqual(entriesOf(opened), [first, ...rest]);
        assert.ok(opened.damage.found().length > 0);
      },
      { tolerate: damageFaults },
    );
    home.remove();
  });

  it('are read in parts, each once, where the stream is long', async () => {
    const home = temporaryHome();
    home.with(({ writer }) =>
      writer.transact((tx) => Array.from({ length: 2_500 }, () => tx.append(busName, event('bus.received')))),
    );
    tamper(home, 'DELETE FROM snapshot');
    await home.with(async (opened) => {
      const stream = busStream(opened);
      let turns = 0;
      const count = (): unknown => ++turns < 5 && setImmediate(count);
      count();
      const last = (await stream.sequencesAfter(0)).slice(-2);
      assert.deepEqual([turns, last[1]], [5, opened.writer.head.size]);
      const following = followEnvelopes(opened, last[0]! - 1, new AbortController().signal);
      assert.equal((await following.next()).value?.sequence, last[0]);
      alter(
        home,
        `UPDATE events SET mission = 'other' WHERE seq = 100; UPDATE events SET signature = hash WHERE seq = ${last[1]}`,
      );
      assert.equal((await laterRefusalOf(() => following.next()))?.code, 'integrity');
      assert.equal((await stream.sequencesAfter(0)).length, 2_500);
      assert.equal((await laterRefusalOf(() => busStream(opened).sequencesAfter(0)))?.code, 'integrity');
    });
    home.remove();
  });

  it('are those of the journal, without a gap', () => {
    const home = temporaryHome();
    home.with(({ writer }) => {
      writer.begin();
      writer.run(Array.from({ length: 300 }, (_, i) => submit(i)));
    });
    tamper(home, 'DELETE FROM snapshot');
    home.with(() => undefined);
    alter(home, 'DELETE FROM events WHERE seq = 200');
    home.with((opened) => assert.equal(refusalOf(() => entryPart(opened, 203, 5))?.facts?.['sequence'], 200));
    home.remove();
  });
});

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
            refusesIntegrity(() => searchMissions(db, { limit: 100, scan_max: 100, ...filter }));
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
      copy.with(({ db }) => refusesIntegrity(() => searchMissions(db, { limit: 100, scan_max: 100 })));
    } finally {
      copy.remove();
    }
  });

  for (const [what, id] of Object.entries({ 'of the snapshot': hidden, 'with newer entries': changed })) {
    it(`misses a value of another type in the row of a mission ${what}`, async () => {
      const copy = (await shared.get()).copy();
      try {
        alterRows(join(copy.directory, 'journal.sqlite3'), (db) => setValue(db, 'mission', { id }, 'record', Buffer.from('{}')));
        copy.with(({ db }) => refusesIntegrity(() => searchMissions(db, { limit: 100, scan_max: 100 })));
      } finally {
        copy.remove();
      }
    });
  }

  it('misses it too where the other mission was read before, and what was known of it is no longer kept', async () => {
    const copy = (await shared.get()).copy();
    copy.with(({ db }) => {
      const list = (): unknown => searchMissions(db, { state: 'review', limit: 100, scan_max: 100 });
      searchMissions(db, { limit: 100, scan_max: 100 });
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
