import { integerText } from '../../src/codec/kit.js';
import { deepStrictEqual, strictEqual } from 'node:assert';
import * as E from 'fp-ts/lib/Either.js';
import { blockOf, WrongTokens } from '../../src/base/wrong-tokens.js';

describe('integers in texts', () => {
  it('are written in one way, and within their bounds', () => {
    const read = (value: unknown): number | null => E.getOrElse((): number | null => null)(integerText(-5, 500).decode(value));
    deepStrictEqual(['0', '7', '500', '-5'].map(read), [0, 7, 500, -5]);
    for (const text of [
      '',
      '501',
      '-6',
      '-0',
      '07',
      '+7',
      '7.0',
      '7e0',
      ' 7',
      '0x7',
      '٧',
      'NaN',
      '9'.repeat(30),
      ['7'],
      7,
      null,
    ]) {
      strictEqual(read(text), null, String(text));
    }
  });
});

describe('failed logins', () => {
  /** Counts a failure; returns the seconds to wait, 0 within the limit. */
  const waitsOf = (wrongTokens: WrongTokens) => (address: string) => wrongTokens.failed(address);
  const sizes = { failed_logins_per_address_max: 2, failed_logins_max: 100, failed_login_addresses_max: 3 };

  it('are allowed again to an address over a minute', () => {
    let now = 0;
    const failed = waitsOf(new WrongTokens(sizes, () => now));
    deepStrictEqual([failed('a'), failed('a'), failed('a'), failed('b')], [0, 0, 30, 0]);
    now = 29_000;
    strictEqual(failed('a'), 1);
    now = 30_000;
    strictEqual(failed('a'), 0);
    strictEqual(failed('a'), 30);
    now = 1_000_000;
    deepStrictEqual([failed('a'), failed('a'), failed('a')], [0, 0, 30]);
  });

  it('are remembered for a bounded number of addresses', () => {
    const throttle = new WrongTokens(sizes, () => 0);
    for (let i = 0; i < 50; i++) waitsOf(throttle)(`10.0.0.${i}`);
    strictEqual(throttle.addresses, 3);
  });

  it('are counted for an IPv6 network as for one address', () => {
    const blocks: readonly (readonly [string, string])[] = [
      ['127.0.0.1', '127.0.0.1'],
      ['::ffff:127.0.0.1', '127.0.0.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8::6', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['2001:db8::', '2001:db8:0:0::/64'],
      ['', ''],
    ];
    for (const [address, block] of blocks) strictEqual(blockOf(address), block);
  });
});
