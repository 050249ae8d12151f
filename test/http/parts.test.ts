import { integerText } from '../../src/codec/kit.js';
import { deepStrictEqual, strictEqual } from 'node:assert';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { blockOf, WrongTokens } from '../../src/base/wrong-tokens.js';
import { readFraming } from '../../src/http/core/head.js';
import { effort } from '../support/effort.js';

const rules = { settings: { http_body_bytes_max: 524_288, http_headers_max: 9 }, allowedHosts: 'any', chunked: true } as const;

describe('framing: Content-Length', () => {
  it('refuses any other text, and reads a length exactly', () => {
    const read = (text: string) => readFraming('POST', ['content-LENGTH', text], { ...rules, chunked: false });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,8}$/), fc.stringMatching(/^[ +\-0-9.,_ex]{1,6}$/)),
        (text) => {
          const { length, denial } = read(text);
          if (!/^[0-9]+$/.test(text)) strictEqual(denial?.code, 'malformed');
          else if (BigInt(text) > 524_288n) strictEqual(denial?.code, 'too_large');
          else deepStrictEqual([length, denial], [Number(text), null]);
        },
      ),
      { numRuns: 500 * effort },
    );
  });
});

describe('framing: Connection lists no field that every recipient needs', () => {
  const read = (method: string, ...connection: readonly string[]) =>
    readFraming(method, [...connection.flatMap((value) => ['cOnnection', value]), 'Content-Length', '0'], rules).denial;

  it('refuses each of them, in any case, place and field, for every method', () => {
    for (const name of [
      'Content-Length',
      'Transfer-Encoding',
      'Host',
      'Content-Type',
      'Content-Encoding',
      'Authorization',
      'Origin',
      'Expect',
    ]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const values of [
          [name],
          [name.toLowerCase()],
          [`close,\t${name.toUpperCase()} `],
          [`${name},keep-alive`],
          ['close', `, ,${name}`],
        ]) {
          const denial = read(method, ...values);
          strictEqual(denial?.code, 'malformed', `${method} ${values.join(' | ')}`);
        }
      }
    }
  });

  it('accepts what is hop-by-hop, and names that only look alike', () => {
    for (const value of [
      'close',
      'keep-alive',
      'Upgrade',
      'TE',
      'close, TE',
      'upgrade, HTTP2-Settings',
      '',
      'X-Content-Length',
      'Content-Lengths',
    ])
      strictEqual(read('POST', value), null, value);
  });
});

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

  it('are bounded for all addresses together', () => {
    const failed = waitsOf(new WrongTokens({ ...sizes, failed_logins_max: 60 }, () => 0));
    const waits = Array.from({ length: 61 }, (_, i) => failed(`10.0.0.${i}`));
    deepStrictEqual([waits.filter((wait) => wait > 0), waits.at(-1)], [[1], 1]);
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
