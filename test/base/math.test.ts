import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { cos, exp, log, pow, sin } from '../../src/base/math.js';

const vectors = (name: string): number[][] => {
  const text = readFileSync(join(process.cwd(), 'test/vectors/math', `${name}.json`), 'utf8');
  return (JSON.parse(text) as { rows: number[][] }).rows;
};

const cell = new DataView(new ArrayBuffer(8));
/** Distance from |x| to the next double. */
function ulp(x: number): number {
  cell.setFloat64(0, Math.abs(x));
  cell.setBigUint64(0, cell.getBigUint64(0) + 1n);
  return cell.getFloat64(0) - Math.abs(x);
}

const errorInUlps = (got: number, near: number, rest: number): number => Math.abs(got - near - rest) / ulp(near);

describe('base/math', () => {
  for (const [name, f] of Object.entries({ exp, log, sin, cos })) {
    it(`keeps ${name} within one unit in the last place of the stored values`, () => {
      const rows = vectors(name);
      assert.ok(rows.length > 100);
      for (const [x, near, rest] of rows)
        assert.ok(errorInUlps(f(x!), near!, rest!) < 1, `${name}(${x}) = ${f(x!)}, not ${near}`);
    });
  }

  it('keeps pow within the error that exp(y·log x) allows', () => {
    for (const [x, y, near, rest] of vectors('pow')) {
      const allowed = 2 + 2 * Math.abs(y! * log(x!));
      assert.ok(errorInUlps(pow(x!, y!), near!, rest!) < allowed, `pow(${x}, ${y})`);
    }
  });

  it('keeps the special cases of exp', () => {
    const cases: [number, number][] = [
      [0, 1],
      [-0, 1],
      [Number.NaN, Number.NaN],
      [Infinity, Infinity],
      [-Infinity, 0],
      [709.79, Infinity],
      [-745.2, 0],
      [-745, 5e-324],
      [1e-300, 1],
      [1, 2.7182818284590455],
      [-710, 4.47628622567513e-309],
    ];
    for (const [x, y] of cases) assert.ok(Object.is(exp(x), y), `exp(${x}) = ${exp(x)}`);
  });

  it('keeps the special cases of log', () => {
    const cases: [number, number][] = [
      [1, 0],
      [0, -Infinity],
      [-0, -Infinity],
      [-1, Number.NaN],
      [-Infinity, Number.NaN],
      [Number.NaN, Number.NaN],
      [Infinity, Infinity],
      [4, 1.3862943611198906],
      [5e-324, -744.4400719213812],
    ];
    for (const [x, y] of cases) assert.ok(Object.is(log(x), y), `log(${x}) = ${log(x)}`);
  });

  it('agrees with ECMA-262 in every special case of pow', () => {
    const odd = [-Infinity, -3, -2.5, -2, -1, -0.5, -0, 0, 0.5, 1, 2, 2.5, 3, Infinity, Number.NaN];
    for (const x of odd) {
      for (const y of odd) {
        const want = x ** y;
        const got = pow(x, y);
        const same = Object.is(got, want) || (Number.isFinite(want) && want !== 0 && Math.abs(got / want - 1) < 1e-14);
        assert.ok(same, `pow(${x}, ${y}) = ${got}, not ${want}`);
      }
    }
  });

  it('keeps the special cases of sin and cos', () => {
    assert.ok(Object.is(sin(0), 0));
    assert.ok(Object.is(sin(-0), -0));
    assert.equal(cos(0), 1);
    for (const x of [1_647_099, -1e300, Infinity, -Infinity, Number.NaN]) {
      assert.ok(Number.isNaN(sin(x)));
      assert.ok(Number.isNaN(cos(x)));
    }
    assert.ok(Object.is(sin(5e-324), 5e-324));
  });

  it('follows the symmetries exactly and the identities nearly', () => {
    const any = fc.double({ min: -1_647_098, max: 1_647_098, noNaN: true });
    fc.assert(
      fc.property(any, (x) => {
        assert.ok(Object.is(sin(-x), -sin(x)));
        assert.equal(cos(-x), cos(x));
        assert.ok(Math.abs(sin(x) * sin(x) + cos(x) * cos(x) - 1) < 1e-15);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -600, max: 600, noNaN: true }), (x) => Math.abs(log(exp(x)) - x) <= 1e-12 * (1 + Math.abs(x))),
    );
  });
});
