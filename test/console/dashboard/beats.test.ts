/** The states of the agents, and the labels on axes and at the ends of lines. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agentStates } from '../../../src/console/kit/agents/states.js';
import { apart } from '../../../src/console/dashboard/charts/labels.js';
import { drawnAsPowers, drawnIn, inUnit, named, sized } from '../../../src/console/dashboard/pure/unit.js';

describe('dashboard: the agents', () => {
  it('have a heartbeat age, and are silent after five seconds; a clock behind the server gives no negative age', () => {
    const agents = {
      planning: { last_beat: 99.96, restarts: 0 },
      market: { last_beat: 94.9, restarts: 2 },
      memory: { last_beat: 103, restarts: 0 },
      safety: { last_beat: 95, restarts: 0 },
    };
    assert.deepEqual(agentStates(agents, 100_000), [
      { name: 'planning', age_s: 0, isSilent: false, restarts: 0 },
      { name: 'market', age_s: 5.1, isSilent: true, restarts: 2 },
      { name: 'memory', age_s: 0, isSilent: false, restarts: 0 },
      { name: 'safety', age_s: 5, isSilent: false, restarts: 0 },
    ]);
  });
});

describe('dashboard: figures on an axis', () => {
  const scale = (value: number): number => value / 1e6;
  it('are printed unchanged while their labels have room', () => {
    const unit = inUnit([-0.5, 99_999], scale);
    assert.deepEqual([unit.exponent, unit.span, named('Risk', unit)], [0, [-0.5, 99_999], 'Risk']);
  });
  it('are printed in thousands and their powers beyond, at the same place', () => {
    const unit = inUnit([-2.5e11, 1e9], scale);
    assert.deepEqual([unit.exponent, unit.span, named('Risk', unit)], [9, [-250, 1], 'Risk, ×10⁹']);
    assert.equal(unit.scale(-250), scale(-2.5e11));
    assert.equal(named('Risk', inUnit([0, 1e12], scale)), 'Risk, ×10¹²');
    assert.deepEqual(inUnit([0, 100_000], scale).span, [0, 100]);
  });
  it('are printed in thousandths and their powers below, at the same place', () => {
    const unit = inUnit([-5e-13, 2e-13], scale);
    assert.deepEqual([unit.exponent, named('Risk', unit)], [-15, 'Risk, ×10⁻¹⁵']);
    assert.deepEqual(
      unit.span.map((value) => Math.round(value)),
      [-500, 200],
    );
    assert.equal(inUnit([0, 0], scale).exponent, 0);
    assert.ok(inUnit([0, 5e-324], scale).span.every(Number.isFinite));
  });
  it('are drawn in a moderate size, and no two labels of one axis are the same', () => {
    for (const most of [3e6, 1.9e220, 2.6e-12, 5e-324, 1e12]) {
      const { place, label } = drawnIn(most);
      assert.ok(place(most) < 1e5);
      const labels = [0, 0.25, 0.5, 0.75, 1].map((share) => label(place(most) * share, String));
      if (most > 1e-300) assert.equal(new Set(labels).size, labels.length, labels.join());
    }
    assert.equal(drawnIn(1.9e220).label(2.5, String), '2.5×10²¹⁹');
    assert.deepEqual(
      [-12, -3, 0, 4, 5, 220].map((at) => drawnAsPowers.label(at, String)),
      ['10⁻¹²', '0.001', '1', '10000', '10⁵', '10²²⁰'],
    );
  });
});

describe('dashboard: figures of any size', () => {
  it('are printed in full while they can be read, and to six digits with a power of ten beyond', () => {
    const cases = [
      [0.421184, '0.421184'],
      [-999_999_999, '-999999999'],
      [1e9, '1×10⁹'],
      [3.287220225941e25, '32.8722×10²⁴'],
      [-1.5e308, '-150×10³⁰⁶'],
    ] as const;
    for (const [value, text] of cases) assert.equal(sized(value, String), text);
  });
});

describe('dashboard: labels at the ends of lines', () => {
  it('stay where they are when they do not meet', () => {
    assert.deepEqual(
      apart([
        [100, 10],
        [100, 40],
        [50, 12],
      ]),
      [10, 40, 12],
    );
  });
  it('move down where they would lie upon another', () => {
    assert.deepEqual(
      apart([
        [100, 12],
        [100, 10],
        [104, 10],
      ]),
      [36, 10, 23],
    );
  });
  it('never lie upon each other', () => {
    const end = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(fc.array(end, { maxLength: 6 }), (ends) => {
        const heights = apart(ends);
        for (const [i, [x]] of ends.entries())
          for (const [j, [other]] of ends.entries())
            if (i < j && Math.abs(x - other) < 16) assert.ok(Math.abs((heights[i] ?? 0) - (heights[j] ?? 0)) >= 13);
      }),
    );
  });
});
