import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalDifference, round12, significant_digits } from '../../src/base/decimal.js';
import { exact, minus, sizeOf } from '../support/engines/exact.js';

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

describe('decimal: difference', () => {
  it('is that of the written decimals, not of their doubles', () => {
    const table: readonly (readonly [number, number, number])[] = [
      [0.3, 0.1, 0.2],
      [100.1, 100, 0.1],
      [28_928_571.4286, 28_928_571.4285, 0.0001],
      [0.123456789012, 0.123456789011, 1e-12],
      [1e21, 1, 1e21],
      [1, 1e-7, 0.999_999_9],
      [2_000_000_000_000_001, 1, 2_000_000_000_000_000],
      [5e-324, 5e-324, 0],
      [1e300, -1e-300, 1e300],
      [-0.5, 0.25, -0.75],
    ];
    for (const [a, b, expected] of table) assert.ok(Object.is(decimalDifference(a, b), expected), `${a} - ${b}`);
  });

  it('is as close to the exact one as a double can be', () => {
    // Differences below the smallest normal double have fewer digits.
    const number = fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((x) => (Math.abs(x) < 1e-250 ? 0 : x));
    fc.assert(
      fc.property(number, number, (a, b) => {
        const { over, under } = minus(exact(a), exact(b));
        const off = sizeOf(minus(exact(decimalDifference(a, b)), { over, under }));
        return off.over * 2n ** 52n * under <= sizeOf({ over, under }).over * off.under;
      }),
    );
  });
});
