/** The form of a new run: presets, the request that it makes, and the form of a request. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import { unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { settled, simulationInput, type SimulationRequest } from '../../../src/codec/simulation.js';
import { simulate } from '../../../src/engines/simulation/engine.js';
import {
  draftOf,
  presetNames,
  presetOf,
  presets,
  requestOf,
  named,
  sectorCellOf,
  sectorsOfFile,
  workOf,
  simulateCommand,
  verifyCommand,
} from '../../../src/console/dashboard/pure/draft.js';

const faultsOf = (request: unknown): readonly string[] => {
  const decoded = decode(simulationInput, request);
  return E.isLeft(decoded) ? (decoded.left.errors ?? []).map(({ path, message }) => `${path}: ${message}`) : [];
};

describe('dashboard: presets', () => {
  it('are requests that the server takes', () => {
    for (const name of presetNames) assert.deepEqual(faultsOf(requestOf(presets[name])), [], name);
  });
  it('are distinguished from each other and from what was changed', () => {
    for (const name of presetNames) assert.equal(presetOf(presets[name]), name);
    assert.equal(presetOf({ ...presets.quick, horizon: '11' }), null);
    assert.equal(presetOf({ ...presets.sectors, rows: presets.sectors.rows.slice(1) }), null);
  });
  it('disrupt sectors, but for the defaults of the server', () => {
    const disrupted = presetNames.map((name) => {
      const asked = settledOf(requestOf({ ...presets[name], pop_size: '2', generations: '1' }));
      return simulate(asked, ['main'], { checkpoint: () => undefined }).sectors.map((each) => each.disrupted_year);
    });
    assert.deepEqual(disrupted, [
      Array.from({ length: 6 }, () => null),
      Array.from({ length: 6 }, () => 6),
      Array.from({ length: 12 }, () => 16),
      [9, 10, null, null],
    ]);
  });
  it('lead to runs without warnings, but for the defaults of the server', () => {
    const warned = presetNames.filter((name) => {
      const asked = settledOf(requestOf({ ...presets[name], pop_size: '2', generations: '1' }));
      return simulate(asked, ['main'], { checkpoint: () => undefined }).warnings.length > 0;
    });
    assert.deepEqual(warned, ['standard']);
  });
  it('leave everything to the server where they say so', () => assert.deepEqual(requestOf(presets.standard), {}));
});

describe('dashboard: the request of a form', () => {
  it('holds what was typed, blanks left out', () => {
    const draft = { ...presets.standard, horizon: ' 12 ', k: '-3', x0: '.5', curve: 'linear', seed: '0' };
    assert.deepEqual(requestOf(draft), { horizon: 12, curve: 'linear', k: -3, x0: 0.5, seed: 0 });
  });
  it('keeps what is no number, so that the codec names its field', () => {
    const draft = { ...presets.standard, horizon: '1,5', mut_rate: '50 %' };
    assert.deepEqual(faultsOf(requestOf(draft)), [
      'horizon: must be an integer from 1 to 200, in digits only',
      'mut_rate: must be a number from 0 to 1, in digits and a decimal point only',
    ]);
  });
  it('holds the sectors in one way only', () => {
    const draft = { ...presets.standard, energy: '3', num_sectors: '9', rows: [['a', '2', '', '-0.5'], ['b'], []] };
    assert.deepEqual(requestOf(draft), { energy: 3, num_sectors: 9 });
    assert.deepEqual(requestOf({ ...draft, way: 'rows' }), {
      sectors: [{ name: 'a', energy: 2, growth: -0.5 }, { name: 'b' }],
    });
  });
  it('names the cells of faulty sectors', () => {
    const rows = [
      ['a', '-1', '', ''],
      ['', '', '', 'x'],
    ];
    assert.deepEqual(faultsOf(requestOf({ ...presets.standard, way: 'rows', rows })), [
      'sectors[0].energy: must be a number from 0 to 1000000000000',
      'sectors[1].name: must have 1 to 100 characters, has 0',
      'sectors[1].growth: must be a number from -1 to 10',
    ]);
    assert.deepEqual(['sectors', 'sectors[0]', 'sectors[12].growth'].map(sectorCellOf), [
      null,
      { row: 0, col: 0 },
      { row: 12, col: 3 },
    ]);
  });
  it('takes the sectors of a file, and says what is wrong with another', () => {
    const read = (text: string, encoding?: 'latin1') => sectorsOfFile(Buffer.from(text, encoding));
    assert.deepEqual(unwrap(read('\ufeff ["a", {"name": "b", "energy": 2}] ')), [
      ['a', '1', '1', '0.05'],
      ['b', '2', '1', '0.05'],
    ]);
    const faulty = ['', '["a",]', '{"name": "a"}', '[{"name": "a", "cost": 1}]', '["a", "a"]'];
    const faults = [...faulty, '[{"name": "a", "energy": 1, "energy": 5}]', '["é"]'].map((text) => {
      const of = read(text, 'latin1');
      return E.isLeft(of) ? of.left.detail : '';
    });
    assert.deepEqual(faults, [
      'the document ends too early (line 1, column 1)',
      '[1]: expected a value (line 1, column 6)',
      'sectors: must be an array',
      'sectors[0].cost: unknown member',
      'sectors[1]: names a sector twice',
      '[0].energy: duplicate member (line 1, column 29)',
      'not valid UTF-8',
    ]);
  });
  it('has the name of the run unless that is blank', () => {
    assert.deepEqual(named({ seed: 1 }, 'first look'), { seed: 1, name: 'first look' });
    assert.deepEqual(named({ seed: 1 }, '  '), { seed: 1 });
  });
  it('counts the work as the server does', () => {
    const input = unwrap(decode(simulationInput, { horizon: 7, pop_size: 4, generations: 5, sectors: ['a', 'b'] }));
    assert.equal(workOf(input), 7 * 4 * 5 * 2);
    assert.equal(workOf(unwrap(decode(simulationInput, { sectors: [] }))), 5 * 6 * 3 * 6);
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const sector = fc.record({
  name: fc.string({ minLength: 1, maxLength: 20 }),
  energy: fc.double({ min: 0, max: 1e6, noNaN: true }),
  entropy: fc.double({ min: 0, max: 1e6, noNaN: true }),
  growth: fc.double({ min: -1, max: 10, noNaN: true }),
});
const request = fc.record({
  horizon: fc.integer({ min: 1, max: 200 }),
  curve: fc.constantFrom('logistic' as const, 'linear' as const, 'exponential' as const),
  k: fc.option(fc.double({ min: -50, max: 50, noNaN: true })),
  x0: fc.option(share),
  mut_rate: share,
  xover_rate: share,
  pop_size: fc.integer({ min: 2, max: 50 }),
  generations: fc.integer({ min: 1, max: 50 }),
  samples: fc.oneof(fc.constant(0), fc.integer({ min: 20, max: 2000 })),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  sectors: fc.option(fc.uniqueArray(sector, { minLength: 1, maxLength: 70, selector: ({ name }) => name })),
});
const settledOf = (document: unknown): SimulationRequest => settled(unwrap(decode(simulationInput, document)), 1);

/** The list and its defaults are what counts: a form of named sectors leaves out the fields that are not used beside them. */
it('reads the same request back from a form that shows it', () => {
  fc.assert(
    fc.property(request, (document) => {
      // JSON has one zero.
      const asked = settledOf(JSON.parse(JSON.stringify(document)));
      assert.deepEqual(settledOf(requestOf(draftOf(asked))), asked);
    }),
  );
});

describe('dashboard: commands', () => {
  it('ask for the same run', () => {
    assert.equal(
      simulateCommand(requestOf({ ...presets.standard, k: '-2', num_sectors: '4', curve: 'linear', xover_rate: '0.5' })),
      'agent-cli simulate --curve=linear --k=-2 --sectors 4 --xover-rate=0.5',
    );
    assert.match(simulateCommand(requestOf(presets.sectors)), / --sectors sectors\.json /);
    assert.equal(simulateCommand({ sectors: [], seed: 3 }), 'agent-cli simulate --seed=3');
  });
  it('verify a run', () => assert.equal(verifyCommand('0f8fad5bd9cb469f'), 'agent-cli verify-run 0f8fad5bd9cb469f'));
});
