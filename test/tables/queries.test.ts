/** Queries over missions: paging under changes, filters, parents, counts, and the indexes they use. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Home } from '../../src/app/home/home.js';
import { listPage, listPageInParts } from '../../src/app/missions/missions.js';
import type { MissionItem } from '../../src/codec/api-missions.js';
import type { Event } from '../../src/codec/event.js';
import {
  approvedMissionWithIds,
  countByState,
  missionsOfAssistant,
  nextRequested,
  placeInQueue,
  requestedMissions,
  runningMissions,
  searchMissions,
} from '../../src/tables/missions.js';
import { atEffort } from '../support/effort.js';
import { tail_entries_max } from '../../src/state/build.js';
import { event, hex } from '../support/codec/given-events.js';
import { refusalOf } from '../support/app/given-home.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';
import { membersOf } from '../support/lists.js';

const record = (home: Home, n: number, ...events: readonly Event[]): void =>
  void home.writer.transact((tx) => events.map((e) => tx.append(uuidOf(n), e)));

const submitted = (n: number): Event =>
  event('mission.submitted', { kind: n % 2 === 0 ? 'forecast' : 'schedule', ids_hash: hex('1') });

/** Reads all pages, doing `between` after each. */
function pages(home: Home, limit: number, filter: object, between?: (page: number) => unknown): MissionItem[] {
  const items: MissionItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const answer = listPage(home, { ...filter, limit, cursor });
    assert.ok(answer.items.length <= limit);
    items.push(...answer.items);
    if (answer.next_cursor === null) return items;
    assert.equal(answer.items.length, limit, 'only the last page is short');
    cursor = answer.next_cursor;
    between?.(page);
  }
}

describe('listing missions', () => {
  const homes = homeForEach();
  let home: Home;
  beforeEach(() => {
    home = homes.get().open();
  });
  afterEach(() => home.close());

  it('returns every mission once over all pages, the most recently changed first', () => {
    for (let n = 1; n <= 12; n++) record(home, n, submitted(n));
    record(home, 3, event('mission.leased'));
    for (const limit of [1, 2, 5, 12, 13])
      assert.deepEqual(membersOf(pages(home, limit, {}), 'id'), [3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2, 1].map(uuidOf));
  });

  it('orders by goal, kind and state in pages, those that are equal by their change', () => {
    for (const [i, goal] of ['b', 'A', 'c', 'a', 'B', 'C'].entries())
      record(home, i + 1, event('mission.submitted', { kind: i % 2 === 0 ? 'schedule' : 'forecast', goal }));
    record(home, 2, event('mission.leased'));
    const orders = [
      { sort: 'goal', order: 'asc', expected: [2, 4, 5, 1, 6, 3] },
      { sort: 'goal', order: 'desc', expected: [6, 3, 5, 1, 2, 4] },
      { sort: 'kind', order: 'asc', expected: [2, 6, 4, 5, 3, 1] },
      { sort: 'kind', order: 'desc', expected: [5, 3, 1, 2, 6, 4] },
      { sort: 'state', order: 'asc', expected: [6, 5, 4, 3, 1, 2] },
      { sort: 'state', order: 'desc', expected: [2, 6, 5, 4, 3, 1] },
    ];
    for (const { expected, ...ordering } of orders)
      for (const limit of [1, 2, 4, 7])
        assert.deepEqual(membersOf(pages(home, limit, ordering), 'id'), expected.map(uuidOf), `in pages of ${limit}`);
    const byState = (n: number, change: Event): unknown[] =>
      membersOf(pages(home, 2, { sort: 'state' }, (page) => page === 0 && record(home, n, change)).slice(2, 4), 'id');
    assert.deepEqual(byState(8, submitted(8)), [4, 3].map(uuidOf), 'none comes twice when one is submitted');
    assert.deepEqual(byState(6, event('mission.leased')), [5, 4].map(uuidOf), 'none is missed when one leaves a page');
  });

  it('returns no mission twice under changes, and misses none that stayed the same; the changed ones come first afterwards', () => {
    let next = 0;
    const change = fc.record({ page: fc.nat({ max: 4 }), mission: fc.nat({ max: 20 }), isNew: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.integer({ min: 1, max: 5 }), (changes, limit) => {
        const base = next;
        for (let i = 0; i < 10; i++) record(home, ++next, submitted(next));
        const known = Array.from({ length: next }, (_, i) => i + 1);
        const changed = new Set<number>();
        const began = home.writer.head.size;
        const items = pages(home, limit, {}, (page) => {
          for (const { page: at, mission, isNew } of changes) {
            if (at !== page) continue;
            const n = isNew ? ++next : base + 1 + (mission % 10);
            changed.add(n);
            record(home, n, isNew ? submitted(n) : event('mission.leased'));
          }
        });
        const ids = membersOf(items, 'id');
        assert.equal(new Set(ids).size, ids.length);
        for (const n of known) if (!changed.has(n)) assert.ok(ids.includes(uuidOf(n)), `mission ${n}`);
        const front = listPage(home, { limit: 500 }).items.filter(({ revision }) => revision > began);
        assert.deepEqual(new Set(front.map(({ id }) => id)), new Set([...changed].map(uuidOf)));
      }),
      { numRuns: atEffort(8, 40) },
    );
  });

  it('filters by state and kind, each alone and together', () => {
    for (let n = 1; n <= 8; n++) record(home, n, submitted(n), ...(n > 4 ? [event('mission.leased')] : []));
    const ids = (filter: Readonly<Record<string, unknown>>): unknown[] => membersOf(pages(home, 2, filter), 'id');
    assert.deepEqual(ids({ state: 'queued' }), [4, 3, 2, 1].map(uuidOf));
    assert.deepEqual(ids({ kind: 'forecast' }), [8, 6, 4, 2].map(uuidOf));
    assert.deepEqual(ids({ state: 'running', kind: 'schedule' }), [7, 5].map(uuidOf));
    assert.deepEqual(ids({ state: 'completed' }), []);
    assert.deepEqual(countByState(home.db), { queued: 4, running: 4 });
    assert.deepEqual([runningMissions(home.db).map(({ id }) => id)], [[5, 6, 7, 8].map(uuidOf)]);
    for (const n of [2, 1]) record(home, n, event('mission.execution_requested'));
    record(home, 2, ...Array.from({ length: tail_entries_max }, () => event('mission.leased')));
    for (const _ of ['the one that was made at the start', 'one of all entries']) home.moveSnapshot();
    const searched = (): unknown => listPage(home, { q: 'not there' });
    const none = searched();
    // The queue does not read what was in it once, nor a search again what it compares, nor the limits of an assistant what others submitted.
    home.db.exec(`UPDATE mission SET goal = 'x' WHERE id IN ('${uuidOf(2)}', '${uuidOf(4)}')`);
    assert.deepEqual([requestedMissions(home.db).map(({ id }) => id), countByState(home.db).queued], [[uuidOf(1)], 3]);
    assert.deepEqual(missionsOfAssistant(home.db, 'claude', ''), { queued: [], recent: [] });
    assert.deepEqual(searched(), none);
    // Who looks for the next one, or for a place, does not read those behind it.
    record(home, 3, event('mission.execution_requested'));
    home.db.exec(`UPDATE mission SET goal = 'x' WHERE id = '${uuidOf(3)}'`);
    const first = nextRequested(home.db, 0, () => true);
    assert.deepEqual([first?.id, first && placeInQueue(home.db, first)], [uuidOf(1), 1]);
  });

  it('lets others be served after a few missions of a search, each of which may have many entries', async () => {
    const beyond = { until: '2020-01-01', sort: 'kind' } as const;
    for (const filter of [{ actor: 'nobody' }, { q: 'not there' }, beyond, { needs: 'claire', limit: 100 }]) {
      for (let n = 1; n <= 40; n++) record(home, n, submitted(n), event('mission.leased'), event('mission.produced'));
      let isServed = false;
      setImmediate(() => (isServed = true));
      const { items } = await listPageInParts(home, filter);
      assert.deepEqual([items.length, isServed], ['needs' in filter ? 40 : 0, true]);
    }
    assert.equal(searchMissions(home.db, { until: '2020-01-01', limit: 1, scan_max: 25 }).next, 409, 'a part, which has none');
  });

  it('refuses cursors and limits that no page returned, and a search of too many characters', () => {
    for (const cursor of ['', '0', '-1', '1.5', 'x', '1e3', '1'.repeat(17)])
      assert.equal(refusalOf(() => listPage(home, { cursor }))?.code, 'invalid', cursor);
    for (const limit of [0, -1, 1.5, 501, Number.NaN])
      assert.equal(refusalOf(() => listPage(home, { limit }))?.code, 'invalid', `${limit}`);
    assert.equal(refusalOf(() => listPage(home, { q: '😀'.repeat(201) }))?.code, 'invalid');
    assert.deepEqual(listPage(home, { limit: 500, cursor: '1', q: '😀'.repeat(200) }), { items: [], next_cursor: null });
  });

  it('finds as parent the newest approved mission of the kind with the same ids', () => {
    const life = [event('mission.leased'), event('mission.produced')];
    record(home, 2, submitted(2), ...life, event('mission.completed'));
    record(home, 4, submitted(4), ...life, event('mission.completed'));
    record(home, 6, submitted(6), ...life, event('mission.rejected'));
    record(home, 8, submitted(8), ...life);
    assert.equal(approvedMissionWithIds(home.db, 'forecast', hex('1'))?.id, uuidOf(4));
    assert.equal(approvedMissionWithIds(home.db, 'schedule', hex('1')), null);
    assert.equal(approvedMissionWithIds(home.db, 'forecast', hex('2')), null);
    record(home, 2, event('mission.erased'));
    assert.equal(approvedMissionWithIds(home.db, 'forecast', hex('1'))?.id, uuidOf(2), 'newest by its last change');
  });
});
