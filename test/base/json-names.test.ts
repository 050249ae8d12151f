import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hashed_units_max, hashOfUnits } from '../../src/base/json-names.js';
import { parseJson } from '../../src/base/json-parse.js';
import { isRefused, unwrap } from '../../src/base/result.js';

describe('JSON reader: names', () => {
  const objectOf = (names: readonly string[]): string => `{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`;
  const hashOf = (name: string, isWhole = false): number =>
    hashOfUnits(
      Uint16Array.from(name, (c) => c.charCodeAt(0)),
      0,
      name.length,
      isWhole,
    );

  function refused(text: string, name: string): void {
    const parsed = parseJson(text);
    assert.ok(isRefused(parsed));
    assert.ok(parsed.left.detail.startsWith(`${name}: duplicate member`), parsed.left.detail);
  }

  /** Reads an object with these names, and refuses it with one of them again. */
  function check(names: readonly string[]): void {
    assert.deepEqual(Object.keys(unwrap(parseJson(objectOf(names))) as object).toSorted(), names.toSorted());
    for (const again of [0, 1, Math.floor(names.length / 2), names.length - 1]) {
      const name = names[again] ?? '';
      refused(objectOf([...names, name]), name);
      const last = `"${name.slice(0, -1)}\\u${name
        .charCodeAt(name.length - 1)
        .toString(16)
        .padStart(4, '0')}"`;
      refused(objectOf(names).replace(/\}$/, `,${last}:0}`), name);
    }
  }

  it('are compared in objects of any size', () => {
    for (const count of [2, 3, 8, 12, 13, 14, 40, 1_000]) check(Array.from({ length: count }, (_, i) => `name ${i}`));
  });

  it('are compared when their hashes are equal', () => {
    const ends = 'n'.repeat(40 + hashed_units_max);
    const alike = Array.from({ length: 20_000 }, (_, i) => `${ends}${String(i).padStart(5, '0')}${ends}`);
    assert.equal(new Set(alike.map((name) => hashOf(name))).size, 1);
    // Among this many hashes of 32 bits, a few may be equal by chance.
    assert.ok(new Set(alike.map((name) => hashOf(name, true))).size > alike.length - 20);
    check(alike);
    check(alike.slice(0, 10));
  });

  it('are compared when the hashes of all their code units are equal', () => {
    const byHash = new Map<number, string>();
    for (let i = 0; ; i++) {
      const name = `${i}`;
      const other = byHash.get(hashOf(name));
      byHash.set(hashOf(name), name);
      if (other !== undefined) return check([other, name, 'x']);
    }
  });

  it('are compared when their hashes fall into one place of the table', () => {
    const names: string[] = [];
    for (let i = 0; names.length < 1_000; i++) if ((hashOf(`${i}`) & 2_047) === 0) names.push(`${i}`);
    check(names);
  });

  it('may repeat in other objects', () => {
    const nested = '{"a":{"a":{"a":1},"b":2},"b":[{"a":1},{"a":1}]}';
    assert.deepEqual(unwrap(parseJson(nested)), JSON.parse(nested));
  });
});
