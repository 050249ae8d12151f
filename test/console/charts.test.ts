/** Pure parts of the charts: the cursor's ways, dates at the axis, and styles as attributes of a saved picture. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dateUnits } from '../../src/kinds/forecast/calendar.js';
import { dateTicks, offsetOf } from '../../src/console/operator/kinds/forecast/dates.js';
import { attributesOf, plainColour } from '../../src/console/kit/charts/picture.js';
import { formatFor } from '../../src/console/kit/text/format.js';
import { acrossLanes } from '../../src/console/operator/kinds/schedule/model.js';
import type { Operation } from '../../src/kinds/schedule/view.js';

const operation = (machine: string, start: number, end: number): Operation => ({ job: `j${start}`, machine, start, end });

describe('console: the cursor of a chart', () => {
  const machines = [
    { operations: [operation('a', 0, 2), operation('a', 2, 9)] },
    { operations: [operation('b', 1, 3), operation('b', 3, 4), operation('b', 7, 9)] },
    { operations: [] },
  ];
  it('moves to the operation of the next machine that is nearest in time', () => {
    assert.equal(acrossLanes(machines, 0, 1), 2);
    assert.equal(acrossLanes(machines, 1, 1), 3);
    assert.equal(acrossLanes(machines, 4, -1), 1);
    assert.equal(acrossLanes(machines, 2, -1), 0);
  });
  it('stays at the first and the last machine, and beside one without operations', () => {
    assert.equal(acrossLanes(machines, 0, -1), 0);
    assert.equal(acrossLanes(machines, 4, 1), 4);
    assert.equal(acrossLanes([], 0, 1), 0);
  });
});

describe('console: dates at the axis', () => {
  it('mark the first step ahead and steps at equal distances, within the chart', () => {
    assert.deepEqual(dateTicks(42, 133, 120, 'day', 7), [50, 64, 78, 92, 106, 120]);
    assert.deepEqual(dateTicks(1, 30, 25, 'month', 5), [1, 7, 13, 19, 25]);
    const step = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(step, step, step, fc.constantFrom(...dateUnits), fc.integer({ min: 1, max: 12 }), (a, b, c, unit, wanted) => {
        const [first = 0, ahead = 0, last = 0] = [a, b, c].toSorted((x, y) => x - y);
        const ticks = dateTicks(first, last, ahead, unit, wanted);
        assert.ok(ticks.includes(ahead));
        assert.ok(ticks.every((tick) => tick >= first && tick <= last));
        assert.ok(ticks.length <= wanted + 2, `${ticks.length} of ${wanted}`);
        assert.equal(new Set(ticks.slice(1).map((tick, i) => tick - (ticks[i] ?? 0))).size <= 1, true);
      }),
    );
  });
  it('are printed as the clocks of their own offset show them', () => {
    const f = formatFor('en-GB', 'Asia/Tokyo');
    assert.equal(f.date('2026-04-15'), '15 Apr 2026');
    assert.equal(f.date('2026-04-15T23:30:00+02:00'), '15 Apr 2026, 23:30');
    assert.equal(f.date('0099-01-01'), '1 Jan 99');
    assert.equal(f.date('1500-02-28'), '28 Feb 1500');
    assert.equal(f.date('no date'), 'no date');
    assert.equal(f.datePart('2026-04-15', 'month'), 'Apr 2026');
    assert.equal(f.datePart('2026-04-15', 'year'), '2026');
    assert.match(f.datePart('2026-04-15T07:30:00Z', 'hour'), /15 Apr.*07:30/);
  });
  it('have the offset of times, and none for dates', () => {
    const day = { unit: 'day', count: 1 } as const;
    assert.equal(offsetOf({ start: '2026-04-15', step: day }), null);
    assert.equal(offsetOf({ start: '2026-04-15', step: { unit: 'hour', count: 1 } }), 'UTC');
    assert.equal(offsetOf({ start: '2026-04-15T00:00:00Z', step: day }), 'UTC');
    assert.equal(offsetOf({ start: '2026-04-15T00:00:00.5-03:30', step: day }), 'UTC-03:30');
  });
});

describe('console: styles of a saved picture', () => {
  it('are colours that every viewer knows, with their transparency apart', () => {
    assert.deepEqual(plainColour('rgb(29, 78, 216)'), { colour: 'rgb(29,78,216)', alpha: 1 });
    assert.deepEqual(plainColour('rgba(0, 0, 0, 0.25)'), { colour: 'rgb(0,0,0)', alpha: 0.25 });
    assert.deepEqual(plainColour('color(srgb 0.2 0.4 1 / 0.46)'), { colour: 'rgb(51,102,255)', alpha: 0.46 });
    assert.deepEqual(plainColour('rgba(0, 0, 0, 0)'), { colour: 'rgb(0,0,0)', alpha: 0 });
    assert.deepEqual(plainColour('transparent'), { colour: 'none', alpha: 0 });
    assert.deepEqual(plainColour('none'), { colour: 'none', alpha: 1 });
  });
  it('are attributes without units of the style sheet', () => {
    assert.deepEqual(attributesOf('stroke-width', '1.5px'), [['stroke-width', '1.5']]);
    assert.deepEqual(attributesOf('stroke-dasharray', '5px, 4px'), [['stroke-dasharray', '5, 4']]);
    assert.deepEqual(attributesOf('fill', 'rgba(1, 2, 3, 0.5)'), [
      ['fill', 'rgb(1,2,3)'],
      ['fill-opacity', '0.5'],
    ]);
  });
});
