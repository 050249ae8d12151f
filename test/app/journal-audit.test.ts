/** The journal as an audit view: who acted, in which stage and through which channel, what an entry contains, the filters; and checkpoints. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { addWitness, checkpoint, cosignedCheckpoint } from '../../src/app/log/checkpoint.js';
import {
  entryDetail,
  entryPage,
  entryPart,
  type JournalFilter,
  mission_entries_chars_max,
  missionEntries,
} from '../../src/app/operator/entries.js';
import type { JournalEntry } from '../../src/codec/api-journal.js';
import { noteAt } from '../../src/journal/reader.js';
import { checkpointSizes } from '../journal/inspect.js';
import { findingOf } from '../journal/tamper.js';
import { documents, event } from '../support/codec/given-events.js';
import { leftRunning, queued, refusalOf } from '../support/app/given-home.js';
import { homeForEach, start_ms, submit, uuidOf } from '../support/app/temporary-home.js';
import { witnessServer, type WitnessServer } from '../support/witness/witness-server.js';
import { backup, restore, withHome, worldBeside } from './backup/archives.js';
import { pause, resume } from '../../src/app/control/control.js';
import { homeVia } from '../../src/app/home/via.js';
import { blobFinders, type Event, withVia } from '../../src/codec/event.js';
import { keptForEach, membersOf } from '../support/lists.js';

const day_ms = 86_400_000;

describe('the journal as an audit view', () => {
  const homes = homeForEach();
  let home: Home;
  beforeEach(() => {
    home = homes.get().open();
    for (const n of [1, 2]) {
      homes.get().clock.now = start_ms + n * day_ms;
      const review = { ...documents['mission.completed'].review, actor: 'dora', note: 'the "plan" fits' };
      home.writer.transact((tx) => {
        tx.append(uuidOf(n), event('mission.submitted', { actor: n === 1 ? 'alice' : 'bob', goal: `goal ${n}` }));
        tx.append(uuidOf(n), event('mission.leased', { actor: 'carol' }));
        tx.append(uuidOf(n), event('mission.staged'));
        tx.append(uuidOf(n), n === 1 ? event('mission.failed') : event('mission.produced'));
        if (n === 2) tx.append(uuidOf(n), event('mission.completed', { review }));
      });
    }
    home.writer.transact((tx) => tx.append('@control', event('control.configured', { actor: 'alice' })));
  });
  afterEach(() => home.close());

  const all = (filter: JournalFilter, limit = 2): JournalEntry[] => {
    const found: JournalEntry[] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const page = entryPart(home, before, limit, filter);
      assert.ok(page.items.length <= limit);
      found.push(...page.items);
      before = page.next_before;
    }
    return found;
  };
  const sequences = (filter: JournalFilter): number[] => all(filter).map(({ sequence }) => sequence);

  it('shows who acted, in which stage, and what an entry contains', () => {
    assert.deepEqual(
      all({}).map(({ type, actor, stage, summary }) => [type, actor, stage, summary]),
      [
        ['control.configured', 'alice', null, 'name'],
        ['mission.completed', 'dora', null, 'the "plan" fits'],
        ['mission.produced', null, null, 'attempt: 1'],
        ['mission.staged', null, 'planning', 'goal: try'],
        ['mission.leased', 'carol', null, 'attempt: 1, max_evaluations: 20'],
        ['mission.submitted', 'bob', null, 'goal 2'],
        ['mission.failed', null, 'planning', 'execution_failed: the engine failed'],
        ['mission.staged', null, 'planning', 'goal: try'],
        ['mission.leased', 'carol', null, 'attempt: 1, max_evaluations: 20'],
        ['mission.submitted', 'alice', null, 'goal 1'],
        ['control.initialised', null, null, ''],
      ],
    );
  });

  for (const [filter, expected] of [
    [{ mission: uuidOf(1) }, [5, 4, 3, 2]],
    [{ mission: uuidOf(1).slice(0, 8) }, [10, 9, 8, 7, 6, 5, 4, 3, 2]],
    [{ mission: 'f' }, []],
    [{ type: 'mission.staged' }, [8, 4]],
    [{ type: 'mission' }, [10, 9, 8, 7, 6, 5, 4, 3, 2]],
    [{ type: 'mission.stage' }, []],
    [{ type: 'control' }, [11, 1]],
    [{ actor: 'alice' }, [11, 2]],
    [{ actor: 'dora' }, [10]],
    [{ actor: 'goal' }, []],
    [{ since: '2026-11-22' }, [11, 10, 9, 8, 7, 6]],
    [{ until: '2026-11-22T05:00:00Z' }, [5, 4, 3, 2, 1]],
    [{ until: '2026-11-21' }, [1]],
    [{ type: 'mission.leased', actor: 'carol', until: '2026-11-22' }, [3]],
  ] satisfies readonly (readonly [JournalFilter, readonly number[]])[])
    it(`is narrowed by ${JSON.stringify(filter)}`, () => assert.deepEqual(sequences(filter), expected));

  it('reads a bounded part of the journal for a page, and continues there with the next one', () => {
    const page = entryPart(home, undefined, 5, { actor: 'bob' }, { entries_max: 3, chars_max: 1e6 });
    assert.deepEqual(page, { items: [], next_before: 9 });
    const { items, next_before } = entryPart(home, 9, 5, { actor: 'bob' }, { entries_max: 3, chars_max: 1e6 });
    assert.deepEqual([membersOf(items, 'sequence'), next_before], [[6], 6]);
    assert.equal(entryPart(home, undefined, 5, {}, { entries_max: 9, chars_max: 1 }).next_before, 11);
  });

  it('lets others be served while a page reads many entries', async () => {
    home.writer.transact((tx) => Array.from({ length: 999 }, () => tx.append(uuidOf(3), event('mission.leased'))));
    const served = new Promise((resolve) => setImmediate(() => resolve('served')));
    const page = entryPage(home, { actor: 'dora' });
    assert.equal(await Promise.race([served, page]), 'served');
    assert.deepEqual([membersOf((await page).items, 'sequence'), (await page).next_before], [[10], null]);
  });

  it('returns the document of an entry as it was recorded', () => {
    const { document, actor, type } = entryDetail(home, 2);
    assert.deepEqual([document['goal'], actor, type], ['goal 1', 'alice', 'mission.submitted']);
    assert.equal(refusalOf(() => entryDetail(home, 99))?.code, 'not_found');
  });
});

const homes = homeForEach();
const large = 900_000;
const stages = 12;

/** Records stages whose notes are nearly as large as an entry may be. Returns the mission. */
async function largeStages(home: Home): Promise<string> {
  const { id } = await queued(home);
  await leftRunning(home, id);
  for (let index = 0; index < stages; index++)
    await home.transact((tx) =>
      tx.append(id, {
        type: 'mission.staged',
        document: { attempt: 1, index: index % 7, role: 'planning', detail: { text: 'x'.repeat(large) } },
      }),
    );
  return id;
}

describe('pages of entries', () => {
  homes.it('hold entries of a mission up to a total size of their bodies', async (home) => {
    const id = await largeStages(home);
    const pages: unknown[][] = [];
    for (let after: number | null = 0; after !== null; ) {
      const { items, next_after } = missionEntries(home, id, after);
      assert.ok(JSON.stringify(membersOf(items, 'document')).length <= mission_entries_chars_max);
      pages.push(membersOf(items, 'sequence'));
      after = next_after;
    }
    const all = Array.from({ length: stages + 4 }, (_, i) => i + 2);
    assert.deepEqual([pages.flat(), pages.length], [all, Math.ceil((stages * large) / mission_entries_chars_max)]);
  });
});

const kept = keptForEach<WitnessServer>((server) => server.close());

/** Opens a home that has one witness, which cosigned the checkpoint of size 2. */
async function withWitness(work: (home: Home, server: WitnessServer) => Promise<void>): Promise<void> {
  await homes.get().with(async (home) => {
    const server = kept(await witnessServer([checkpoint(home, undefined).vkey]));
    await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
    await work(home, server);
  });
}

const grow = ({ writer }: Home, to: number): void => {
  while (writer.head.size < to) writer.transact(submit(writer.head.size));
};
const verifies = async (): Promise<void> => {
  for (const deep of [false, true]) assert.equal(await findingOf(homes.get(), { deep }), null);
};

describe('checkpoints', () => {
  it('are kept as long as they are the newest, or cosigned', async () => {
    await withWitness(async (home) => {
      grow(home, 5);
      assert.deepEqual(checkpointSizes(home), [2, 5]);
      await cosignedCheckpoint(home, undefined);
      grow(home, 300);
      assert.deepEqual(checkpointSizes(home), [2, 5, 300]);
    });
    await verifies();
  });

  it('are stored again when the cosignature arrives after the next transaction', async () => {
    await withWitness(async (home) => {
      grow(home, 5);
      const note = noteAt(home.db, 5);
      const asked = cosignedCheckpoint(home, undefined);
      grow(home, 7);
      assert.deepEqual(checkpointSizes(home), [2, 7]);
      assert.deepEqual((await asked).warnings, []);
      assert.deepEqual(checkpointSizes(home), [2, 5, 7]);
      assert.equal(noteAt(home.db, 5), note);
    });
    await verifies();
  });

  it('cannot be deleted when they are the newest or cosigned, nor inserted out of order without a cosignature', () =>
    withWitness((home) => {
      grow(home, 5);
      const note = noteAt(home.db, 5);
      for (const sql of [
        'DELETE FROM checkpoint WHERE size = 2',
        'DELETE FROM checkpoint WHERE size = 5',
        `INSERT INTO checkpoint VALUES (4, '${note}')`,
        `INSERT OR REPLACE INTO checkpoint VALUES (2, '${note}')`,
        `UPDATE checkpoint SET note = '' WHERE size = 2`,
        'UPDATE checkpoint SET size = 3 WHERE size = 2',
        'UPDATE checkpoint SET size = 9 WHERE size = 2',
      ])
        assert.throws(() => home.db.exec(sql), { code: /^SQLITE_CONSTRAINT/ }, sql);
      return Promise.resolve();
    }));

  it('are verified when an archive is restored, and only the newest, uncosigned one is kept', async () => {
    await withWitness((home) => Promise.resolve(grow(home, 5)));
    const { file } = await backup(homes.get());
    const world = worldBeside(homes.get());
    assert.equal((await restore(world, file)).events, 6);
    assert.deepEqual(withHome(world, checkpointSizes), [6]);
    assert.equal(await findingOf({ ...homes.get(), directory: world.directory, world }, { deep: true }), null);
  });
});

/** What the program records by itself, and what nobody but the reference agent recorded. */
const own =
  /^(?:agent|reference)\.|^control\.(?:initialised|notice_failed)$|^mission\.(?:staged|produced|failed)$|^simulation\.(?:started|completed)$/;

describe('the channel of an event', () => {
  const homes = homeForEach();

  it('is recorded in every event that somebody causes, beside the actor', () => {
    for (const type of blobFinders.keys()) {
      const given = { type, document: { actor: 'alice', review: { actor: 'alice' } } } as unknown as Event;
      const { document } = withVia(given, 'session') as unknown as { readonly document: Record<string, unknown> };
      const isOfReview = type === 'mission.completed' || type === 'mission.rejected';
      const added = isOfReview ? { review: { actor: 'alice', via: 'session' } } : { via: 'session' };
      assert.deepEqual(document, own.test(type) ? given.document : { ...given.document, ...added }, type);
    }
  });

  homes.it('is that of the home through which a command acts, and absent for the program itself', async (home) => {
    await pause(homeVia(home, 'session'), 'alice');
    await resume(homeVia(home, 'cli'), 'bob');
    await pause(home, 'operator');
    const shown = entryPart(home).items.map(({ type, actor, via }) => [type, actor, via]);
    assert.deepEqual(shown, [
      ['control.paused', 'operator', null],
      ['control.resumed', 'bob', 'cli'],
      ['control.paused', 'alice', 'session'],
      ['control.initialised', null, null],
    ]);
  });
});
