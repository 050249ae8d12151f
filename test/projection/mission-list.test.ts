/** Lists of missions in every order, narrowed by dates and by who acted: from the table, and from the entries once that is damaged. */
import assert from 'node:assert/strict';
import { damageFaults } from '../../src/app/home/damage-faults.js';
import type { Home } from '../../src/app/home/home.js';
import { listPage, type ListOptions } from '../../src/app/missions/missions.js';
import type { Event } from '../../src/codec/event.js';
import { missionSorts, sortOrders } from '../../src/codec/record.js';
import { event, result_hash } from '../support/given-events.js';
import { refusalOf } from '../support/given-home.js';
import { homeForEach, start_ms, uuidOf } from '../support/temporary-home.js';

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
