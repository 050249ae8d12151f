/** Numbers that Python prints otherwise than RFC 8785 does: found wherever they are, and reported at export. */
import assert from 'node:assert/strict';
import { exportText } from '../../src/app/exports/export.js';
import { isPythonDivergent } from '../../src/app/exports/python-numbers.js';
import { answered, fakeEngine, produced, review } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

/** As ECMAScript prints them (RFC 8785) and as `json.dumps` of Python 3 prints the value that it reads from that text. */
const pairs: readonly (readonly [string, string])[] = [
  ['0.0001', '0.0001'],
  ['0.000099', '9.9e-05'],
  ['0.00001', '1e-05'],
  ['0.000001', '1e-06'],
  ['1e-7', '1e-07'],
  ['1.5e-9', '1.5e-09'],
  ['1e-9', '1e-09'],
  ['9.5e-10', '9.5e-10'],
  ['1e-10', '1e-10'],
  ['5e-324', '5e-324'],
  ['0', '0'],
  ['0.1', '0.1'],
  ['10000000000000000', '10000000000000000'],
  ['123456789012345680000', '123456789012345680000'],
  ['1e+21', '1e+21'],
  ['1.7976931348623157e+308', '1.7976931348623157e+308'],
];

describe('numbers that Python prints otherwise', () => {
  const homes = homeForEach();

  it('are found by their size alone', () => {
    for (const [ours, python] of pairs) {
      assert.equal(String(Number(ours)), ours);
      for (const sign of [1, -1]) assert.equal(isPythonDivergent(sign * Number(ours)), ours !== python, ours);
    }
  });

  it('are found at any depth, and no other numbers are', () => {
    assert.equal(isPythonDivergent({ a: [{ b: [1, 'x', { c: 0.00005 }] }] }), true);
    assert.equal(isPythonDivergent({ '0.00005': ['0.00005', null, true, 1, []] }), false);
  });

  it('are named at export, which still holds', async () => {
    const home = homes.get().open();
    for (const [value, warnings] of [
      [0.000_05, 1],
      [0.5, 0],
    ] as const) {
      const engine = fakeEngine(() => answered({ value }));
      const made = await produced(home, undefined, engine);
      await review(home, made, { runEngine: engine });
      assert.equal(exportText(home, made.id).warnings.length, warnings);
    }
    home.close();
  });
});
