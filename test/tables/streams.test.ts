/** What is shown of a stream is all of it: an entry that was hidden from the index is damage, wherever it stood in the stream. */
import assert from 'node:assert/strict';
import { newestEnvelopes, recentOpenEnvelopes } from '../../src/app/bus/records.js';
import { recordedRestarts } from '../../src/app/daemon/background.js';
import { exportText } from '../../src/app/exports/export.js';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { listPage } from '../../src/app/missions/missions.js';
import { entryPage, missionEntries } from '../../src/app/operator/entries.js';
import { busName } from '../../src/domain/stream.js';
import { event } from '../support/codec/given-events.js';
import { refusalOf } from '../support/app/given-home.js';
import { type MixedHome, sharedMixedHome, tamper } from '../support/app/mixed-home.js';
import { submit, type TemporaryHome, temporaryHome } from '../support/app/temporary-home.js';

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

/** Changes entries, as a writer who puts the guards of the database back. */
const alter = (home: TemporaryHome, sql: string): void =>
  tamper(home, (db) => {
    const guards = db
      .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      .all();
    for (const { name } of guards) db.exec(`DROP TRIGGER ${name}`);
    db.exec(sql);
    for (const guard of guards) db.exec(guard.sql);
  });

describe('the entries of a stream', () => {
  const template = sharedMixedHome();

  const reads: readonly {
    readonly title: string;
    readonly stream: (given: MixedHome) => string;
    readonly read: (home: Home, given: MixedHome) => unknown;
  }[] = [
    {
      title: 'the entries of a mission',
      stream: ({ missions }) => missions.completed,
      read: (home, { missions }) => missionEntries(home, missions.completed),
    },
    {
      title: 'the journal, narrowed to a mission',
      stream: ({ missions }) => missions.completed,
      read: (home, { missions }) => entryPage(home, undefined, undefined, { mission: missions.completed }),
    },
    {
      title: 'the missions in which a person acted',
      stream: ({ missions }) => missions.completed,
      read: (home) => listPage(home, { q: 'done', actor: 'nobody' }),
    },
    {
      title: 'an export',
      stream: ({ missions }) => missions.completed,
      read: (home, { missions }) => exportText(home, missions.completed),
    },
    { title: 'the restarts of an agent', stream: () => agent, read: (home) => recordedRestarts(home) },
    { title: 'the newest envelopes', stream: () => busName, read: (home) => newestEnvelopes(home, 1) },
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
        assert.equal(
          refusalOf(() => read(opened, given)),
          null,
        );
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

  it('are those of the journal, without a gap', () => {
    const home = temporaryHome();
    home.with(({ writer }) => {
      writer.begin();
      writer.run(Array.from({ length: 300 }, (_, i) => submit(i)));
    });
    tamper(home, 'DELETE FROM snapshot');
    home.with(() => undefined);
    alter(home, 'DELETE FROM events WHERE seq = 200');
    home.with((opened) => assert.equal(refusalOf(() => entryPage(opened, 203, 5))?.facts?.['sequence'], 200));
    home.remove();
  });
});
