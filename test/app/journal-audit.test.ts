/** The journal as an audit view: who acted, in which stage, what an entry contains, and the filters. */
import assert from 'node:assert/strict';
import { entryDetail, entryPage } from '../../src/app/operator/entries.js';
import type { JournalFilter } from '../../src/app/operator/audit.js';
import type { Home } from '../../src/app/home/home.js';
import type { JournalEntry } from '../../src/codec/api-journal.js';
import { documents, event } from '../support/given-events.js';
import { refusalOf } from '../support/given-home.js';
import { homeForEach, start_ms, uuidOf } from '../support/temporary-home.js';

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
      const page = entryPage(home, before, limit, filter);
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
    const page = entryPage(home, undefined, 5, { actor: 'bob' }, { entries_max: 3, chars_max: 1e6 });
    assert.deepEqual(page, { items: [], next_before: 9 });
    const { items, next_before } = entryPage(home, 9, 5, { actor: 'bob' }, { entries_max: 3, chars_max: 1e6 });
    assert.deepEqual([items.map(({ sequence }) => sequence), next_before], [[6], 6]);
    assert.equal(entryPage(home, undefined, 5, {}, { entries_max: 9, chars_max: 1 }).next_before, 11);
  });

  it('returns the document of an entry as it was recorded', () => {
    const { document, actor, type } = entryDetail(home, 2);
    assert.deepEqual([document['goal'], actor, type], ['goal 1', 'alice', 'mission.submitted']);
    assert.equal(refusalOf(() => entryDetail(home, 99))?.code, 'not_found');
  });
});
