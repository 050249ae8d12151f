/** Addresses of the console: read, written, and read back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { kinds } from '../../src/codec/kinds.js';
import { missionSorts, missionStates, sortOrders } from '../../src/codec/record.js';
import { hrefOf, noFilters, noJournalFilters, parseRoute, type Route } from '../../src/console/operator/session/route.js';
import { withQuery } from '../../src/console/kit/address.js';

describe('console: routes', () => {
  it('opens a mission by its id in any case or its beginning of at least 4 characters', () => {
    for (const id of ['abcd', '0f8fad5b', '0f8fad5b-d9', '0f8fad5b-d9cb-469f-a165-70867728950e'])
      for (const written of [id, id.toUpperCase()])
        assert.deepEqual(parseRoute(`#/missions/${written}`), { page: 'mission', id });
    for (const id of ['abc', 'abcg', '0f8fad5bd', '0f8fad5b-d9cb-469f-a165-70867728950e0', 'new!'])
      assert.equal(parseRoute(`#/missions/${id}`).page, 'unknown', id);
  });

  it('reads what it wrote', () => {
    const orNull = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(arbitrary, { nil: null });
    const day = fc.stringMatching(/^20[0-9]{2}-0[1-9]-1[0-9]$/);
    const route: fc.Arbitrary<Route> = fc.oneof(
      fc.record({
        page: fc.constant('missions' as const),
        filters: fc.record({
          needs: fc.constantFrom('me' as const, null),
          state: orNull(fc.constantFrom(...missionStates)),
          kind: orNull(fc.constantFrom(...kinds)),
          q: fc.string({ unit: 'grapheme' }),
          actor: fc.string({ unit: 'grapheme' }),
          since: orNull(day),
          until: orNull(day),
          sort: orNull(fc.constantFrom(...missionSorts)),
          order: orNull(fc.constantFrom(...sortOrders)),
          cursor: orNull(fc.stringMatching(/^[1-9][0-9]{0,5}$/)),
        }),
      }),
      fc.record({ page: fc.constant('mission' as const), id: fc.uuid() }),
      fc.record({ page: fc.constant('create' as const), kind: orNull(fc.constantFrom(...kinds)) }),
      fc.record({
        page: fc.constant('journal' as const),
        before: orNull(fc.integer({ min: 1 })),
        filters: fc.record({
          mission: fc.stringMatching(/^[0-9a-f]{0,8}$/),
          type: fc.constantFrom('', 'mission', 'mission.completed'),
          actor: fc.string({ unit: 'grapheme' }),
          since: orNull(day),
          until: orNull(day),
        }),
      }),
      fc.record({ page: fc.constant('tool' as const), id: fc.string({ minLength: 1, unit: 'grapheme' }) }),
      fc.constantFrom({ page: 'doctor' as const }, { page: 'tools' as const }, { page: 'approvers' as const }),
    );
    fc.assert(fc.property(route, (each) => assert.deepEqual({ ...parseRoute(hrefOf(each)) }, JSON.parse(JSON.stringify(each)))));
  });

  it('never throws, and names what it does not know', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseRoute(text)));
    assert.deepEqual(parseRoute('#/missions/not-a-uuid'), { page: 'unknown', path: 'missions/not-a-uuid' });
    assert.deepEqual(parseRoute('#/attic'), { page: 'unknown', path: 'attic' });
    assert.deepEqual(parseRoute('#/doctor/x'), { page: 'unknown', path: 'doctor/x' });
    assert.deepEqual(parseRoute(''), { page: 'missions', filters: noFilters });
  });

  it('takes no filter that the agent does not know', () => {
    assert.deepEqual(parseRoute('#/missions?state=lost&kind=poem&since=2026-13-45&until=2026-02-30&q=a%20b&x=1'), {
      page: 'missions',
      filters: { ...noFilters, q: 'a b' },
    });
    assert.deepEqual(parseRoute('#/journal?before=-1'), { page: 'journal', before: null, filters: noJournalFilters });
  });

  it('leaves out empty members', () => {
    assert.equal(withQuery('/api/missions', { state: null, q: '', limit: 25 }), '/api/missions?limit=25');
    assert.equal(withQuery('/a', { q: null }), '/a');
  });
});
