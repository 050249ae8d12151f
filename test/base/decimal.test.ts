import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { round12, significant_digits } from '../../src/base/decimal.js';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('decimal: 12 significant digits', () => {
  it('rounds as expected', () => {
    const table: readonly (readonly [number, number])[] = [
      [0, 0],
      [1 / 3, 0.333333333333],
      [2 / 3, 0.666666666667],
      [0.1 + 0.2, 0.3],
      [123_456_789_012.4, 123_456_789_012],
      [1_234_567_890_123, 1_234_567_890_120],
      [999_999_999_999.5, 1e12],
      [-1.000_000_000_000_4, -1],
      [1e-300 / 3, 3.333_333_333_33e-301],
      [5e-324, 5e-324],
      [1e21, 1e21],
    ];
    for (const [x, expected] of table) assert.equal(round12(x), expected, String(x));
  });

  it('never gives -0', () => {
    assert.ok(Object.is(round12(-0), 0));
    fc.assert(fc.property(finite, (x) => !Object.is(round12(x), -0)));
  });

  it('is idempotent, odd and within half a unit of the twelfth digit', () => {
    fc.assert(
      fc.property(finite, (x) => {
        const rounded = round12(x);
        if (!Number.isFinite(rounded)) return;
        assert.equal(round12(rounded), rounded);
        assert.equal(round12(-x), rounded === 0 ? 0 : -rounded);
        if (Math.abs(x) > 1e-290) assert.ok(Math.abs(rounded - x) <= Math.abs(x) * 5.000_001e-12);
      }),
    );
  });

  it('prints at most 12 digits', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (x) => {
        const digits = String(round12(x)).replace(/e.*$/, '').replaceAll(/[-.]/g, '').replace(/^0+/, '');
        assert.ok(digits.length <= significant_digits, digits);
      }),
    );
  });

  it('keeps order', () => {
    fc.assert(fc.property(finite, finite, (a, b) => (a <= b ? round12(a) <= round12(b) : round12(a) >= round12(b))));
  });
});
