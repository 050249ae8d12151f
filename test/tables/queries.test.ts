/** Queries over missions: paging under changes, filters, parents, counts, and the indexes they use. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { type ListOptions, listPage } from '../../src/app/missions/missions.js';
import type { MissionItem } from '../../src/codec/api-missions.js';
import type { Event } from '../../src/codec/event.js';
import { missionSorts, sortOrders } from '../../src/codec/record.js';
import { approvedMissionWithIds, countByState, listMissions, readMission, runningMissions } from '../../src/tables/missions.js';
import type { Db } from '../../src/store/database.js';
import { atEffort } from '../support/effort.js';
import { event, hex, result_hash } from '../support/codec/given-events.js';
import { refusalOf } from '../support/app/given-home.js';
import { homeForEach, start_ms, uuidOf } from '../support/app/temporary-home.js';

const record = (home: Home, n: number, ...events: readonly Event[]): void =>
  void home.writer.transact((tx) => events.map((e) => tx.append(uuidOf(n), e)));

const submitted = (n: number): Event =>
  event('mission.submitted', { kind: n % 2 === 0 ? 'forecast' : 'schedule', ids_hash: hex('1') });

/** Reads all pages, doing `between` after each. */
function pages(
  home: Home,
  limit: number,
  filter: Readonly<Record<string, unknown>>,
  between: (page: number) => void,
): MissionItem[] {
  const items: MissionItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const answer = listPage(home, { ...filter, limit, cursor });
    assert.ok(answer.items.length <= limit);
    items.push(...answer.items);
    if (answer.next_cursor === null) return items;
    assert.equal(answer.items.length, limit, 'only the last page is short');
    cursor = answer.next_cursor;
    between(page);
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
    for (const limit of [1, 2, 5, 12, 13]) {
      const items = pages(home, limit, {}, () => undefined);
      assert.deepEqual(
        items.map(({ id }) => id),
        [3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2, 1].map(uuidOf),
      );
    }
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
        const ids = items.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        for (const n of known) if (!changed.has(n)) assert.ok(ids.includes(uuidOf(n)), `mission ${n}`);
        const front = listMissions(home.db, { limit: 500 }).filter(({ revision }) => revision > began);
        assert.deepEqual(new Set(front.map(({ id }) => id)), new Set([...changed].map(uuidOf)));
      }),
      { numRuns: atEffort(8, 40) },
    );
  });

  it('filters by state and kind, each alone and together', () => {
    for (let n = 1; n <= 8; n++) record(home, n, submitted(n), ...(n > 4 ? [event('mission.leased')] : []));
    const ids = (filter: Readonly<Record<string, unknown>>): string[] =>
      pages(home, 2, filter, () => undefined).map(({ id }) => id);
    assert.deepEqual(ids({ state: 'queued' }), [4, 3, 2, 1].map(uuidOf));
    assert.deepEqual(ids({ kind: 'forecast' }), [8, 6, 4, 2].map(uuidOf));
    assert.deepEqual(ids({ state: 'running', kind: 'schedule' }), [7, 5].map(uuidOf));
    assert.deepEqual(ids({ state: 'completed' }), []);
    assert.deepEqual(countByState(home.db), { queued: 4, running: 4 });
    assert.deepEqual(
      runningMissions(home.db).map(({ id }) => id),
      [5, 6, 7, 8].map(uuidOf),
    );
  });

  it('refuses cursors and limits that no page returned', () => {
    for (const cursor of ['', '0', '-1', '1.5', 'x', '1e3', '1'.repeat(17)]) {
      assert.equal(refusalOf(() => listPage(home, { cursor }))?.code, 'invalid', cursor);
    }
    for (const limit of [0, -1, 1.5, 501, Number.NaN])
      assert.equal(refusalOf(() => listPage(home, { limit }))?.code, 'invalid', `${limit}`);
    assert.deepEqual(listPage(home, { limit: 500, cursor: '1' }), { items: [], next_cursor: null });
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

describe('query plans', () => {
  const homes = homeForEach();
  const literals: Readonly<Record<string, string>> = {
    '@state': "'queued'",
    '@kind': "'forecast'",
    '@cursor': '9',
    '@limit': '5',
    '?': "'x'",
  };

  /** The plan of the statement for missions that `query` prepares. */
  function plansOf(home: Home, query: (db: Db) => unknown): string[] {
    const seen: string[] = [];
    const db = {
      inTransaction: false,
      transaction: home.db.transaction.bind(home.db),
      prepare: (sql: string) => {
        if (sql.includes('FROM mission')) seen.push(sql);
        return home.db.prepare(sql);
      },
    } as unknown as Db;
    query(db);
    assert.equal(seen.length, 1);
    const filled = (seen[0] ?? '').replace(/@\w+|\?/g, (name) => literals[name] ?? assert.fail(name));
    return home.db
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${filled}`)
      .all()
      .map(({ detail }) => detail);
  }

  it('search an index and sort nothing for lists by filter, parents, running missions and single missions', () => {
    const home = homes.get().open();
    const queries: Readonly<Record<string, (db: Db) => unknown>> = {
      state: (db) => listMissions(db, { state: 'queued', limit: 5 }),
      'state, next page': (db) => listMissions(db, { state: 'queued', cursor: 9, limit: 5 }),
      'kind, next page': (db) => listMissions(db, { kind: 'forecast', cursor: 9, limit: 5 }),
      'state and kind': (db) => listMissions(db, { state: 'queued', kind: 'forecast', limit: 5 }),
      'next page': (db) => listMissions(db, { cursor: 9, limit: 5 }),
      running: runningMissions,
      parent: (db) => approvedMissionWithIds(db, 'forecast', hex('1')),
      one: (db) => readMission(db, uuidOf(1)),
    };
    for (const [name, query] of Object.entries(queries)) {
      const plan = plansOf(home, query).join('; ');
      assert.match(plan, /^SEARCH mission USING (?:INDEX|INTEGER PRIMARY KEY)/, `${name}: ${plan}`);
      assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/, `${name}: ${plan}`);
    }
    // The first page, of all or of one kind, walks back from the newest row and stops when it is full; it sorts nothing.
    for (const kind of [undefined, 'forecast'] as const) {
      assert.deepEqual(
        plansOf(home, (db) => listMissions(db, { kind, limit: 5 })),
        ['SCAN mission'],
      );
    }
    assert.deepEqual(plansOf(home, countByState), ['SCAN mission USING COVERING INDEX mission_state']);
    home.close();
  });
});

const day_ms = 86_400_000;
const goals = ['pear', 'Apple', 'cherry', 'apple', 'Éclair', 'banana'];

describe('lists of missions', () => {
  const homes = homeForEach();
  let home: Home;
  beforeEach(() => {
    home = homes.get().open({ tolerate: damageFaults });
    for (const [i, goal] of goals.entries()) {
      homes.get().clock.now = start_ms + i * day_ms;
      const kind = i % 2 === 0 ? 'forecast' : 'schedule';
      const actor = i < 4 ? 'alice' : 'bob "the" boss';
      record(i + 1, event('mission.submitted', { kind, goal, actor }));
    }
    record(2, event('mission.leased', { actor: 'carol' }), event('mission.produced'));
    const review = { actor: 'dora', approved: true as const, at: '2026-11-20T05:00:09.000000Z', note: 'ok', result_hash };
    record(2, event('mission.completed', { review }));
    record(4, event('mission.leased'));
  });
  afterEach(() => home.close());

  const record = (n: number, ...events: readonly Event[]): void =>
    void home.writer.transact((tx) => events.map((e) => tx.append(uuidOf(n), e)));

  /** The numbers of the missions on all pages of two. */
  function numbers(options: ListOptions): number[] {
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = listPage(home, { ...options, limit: 2, cursor });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    assert.equal(new Set(found).size, found.length);
    return found.map((id) => Number(id.slice(-4)));
  }

  const cases: readonly (readonly [ListOptions, readonly number[]])[] = [
    [{}, [4, 2, 6, 5, 3, 1]],
    [{ order: 'asc' }, [1, 3, 5, 6, 2, 4]],
    [{ sort: 'goal' }, [4, 2, 6, 3, 1, 5]],
    [{ sort: 'goal', order: 'desc' }, [5, 1, 3, 6, 4, 2]],
    [{ sort: 'kind' }, [5, 3, 1, 4, 2, 6]],
    [{ sort: 'state' }, [6, 5, 3, 1, 4, 2]],
    [{ sort: 'state', order: 'desc' }, [2, 4, 6, 5, 3, 1]],
    [{ sort: 'goal', kind: 'schedule' }, [4, 2, 6]],
    [{ q: 'a', sort: 'goal' }, [4, 2, 6, 1, 5]],
    [{ q: 'a', order: 'asc' }, [1, 5, 6, 2, 4]],
    [{ actor: 'alice' }, [4, 2, 3, 1]],
    [{ actor: 'bob "the" boss', order: 'asc' }, [5, 6]],
    [{ actor: 'carol' }, [2]],
    [{ actor: 'dora' }, [2]],
    [{ actor: 'ok' }, []],
    [{ actor: 'alice', q: 'apple', sort: 'goal', order: 'desc' }, [4, 2]],
    [{ since: '2026-11-22', until: '2026-11-25' }, [5, 3]],
    [{ since: '2026-11-25T05:00:00Z' }, [4, 2, 6]],
    [{ until: '2026-11-22T05:00:00Z' }, [1]],
    [{ until: '2026-11-22T05:00:00.000001Z' }, [3, 1]],
  ];

  for (const [options, expected] of cases)
    it(`are the same from the table and from the entries for ${JSON.stringify(options)}`, () => {
      assert.deepEqual(numbers(options), expected);
      home.db.exec("UPDATE mission SET goal = 'zebra' WHERE revision = (SELECT min(revision) FROM mission)");
      listPage(home, {});
      assert.notDeepEqual(home.damage.found(), []);
      assert.deepEqual(numbers(options), expected);
    });

  it('have every mission once in every order', () => {
    for (const sort of missionSorts)
      for (const order of sortOrders)
        assert.deepEqual(
          numbers({ sort, order }).toSorted((a, b) => a - b),
          [1, 2, 3, 4, 5, 6],
          `${sort} ${order}`,
        );
  });

  it('refuses what is neither a date nor a time, and names of no length', () => {
    for (const since of ['', 'yesterday', '2026-13-01', '2026-11-20T05:00:00', '2026-11-20T25:00:00Z', '20261120'])
      assert.equal(refusalOf(() => listPage(home, { since }))?.code, 'invalid', since);
    assert.equal(refusalOf(() => listPage(home, { actor: '' }))?.code, 'invalid');
  });
});
