/** The dashboard's addresses and texts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unwrap } from '../../../src/base/refusal.js';
import { decodeSettled, runStates } from '../../../src/codec/simulation.js';
import { allRuns, hrefOf, parseRoute, type Route } from '../../../src/console/dashboard/session/routes.js';
import { words } from '../../../src/console/dashboard/text/all.js';
import { simulate } from '../../../src/engines/simulation/engine.js';

const id = fc.stringMatching(/^[0-9a-f]{16}$/);

describe('dashboard: addresses', () => {
  it('read what was written', () => {
    const ids = fc.uniqueArray(id, { maxLength: 5 });
    const route: fc.Arbitrary<Route> = fc.oneof(
      fc.constant({ page: 'new' as const }),
      fc.record({ page: fc.constant('new' as const), from: id }),
      fc.record({
        page: fc.constant('runs' as const),
        state: fc.option(fc.constantFrom(...runStates)),
        cursor: fc.option(fc.stringMatching(/^[1-9][0-9]{0,9}$/)),
        sweep: fc.option(id),
        search: fc.option(fc.string({ minLength: 1 })),
      }),
      fc.record({ page: fc.constant('run' as const), id }),
      fc.record({ page: fc.constantFrom('compare' as const, 'insight' as const), ids }),
    );
    fc.assert(fc.property(route, (each) => assert.deepEqual(parseRoute(hrefOf(each)), JSON.parse(JSON.stringify(each)))));
  });
  it('never throw, and name what they do not know', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseRoute(text)));
    assert.deepEqual(parseRoute('#/run/XYZ'), { page: 'unknown', path: 'run/XYZ' });
    assert.deepEqual(parseRoute('#/attic'), { page: 'unknown', path: 'attic' });
    assert.deepEqual(parseRoute(''), { page: 'new' });
  });
  it('accept no state and no run that cannot exist', () => {
    assert.deepEqual(parseRoute('#/runs?state=lost'), allRuns);
    assert.deepEqual(parseRoute('#/?from=../../x'), { page: 'new' });
    assert.deepEqual(parseRoute('#/compare?ids=0f8fad5bd9cb469f,x,,0f8fad5bd9cb469f'), {
      page: 'compare',
      ids: ['0f8fad5bd9cb469f'],
    });
  });
});

describe('dashboard: texts', () => {
  it('have one of a thing in the singular', () => assert.equal(words.en.sweep.lead('1', 'k', '1'), 'One value of “k”, one run.'));
  it('know the warnings of the engine', () => {
    const requests = [
      { seed: 1 },
      { seed: 1, entropy: 0 },
      { seed: 1, x0: 0.9, entropy: 1.2, horizon: 1, curve: 'logistic', k: 3 },
      { seed: 1, curve: 'linear', k: 2, sectors: ['a'], energy: 2 },
    ];
    const said = requests.flatMap((r) => simulate(unwrap(decodeSettled(r)), ['main'], { checkpoint: () => undefined }).warnings);
    assert.ok(new Set(said).size >= 5, said.join('\n'));
    for (const warning of said)
      for (const { run } of [words.en, words.fr]) assert.notEqual(run.warningsKnown[warning], undefined, warning);
  });
});
