/** Bytes of strangers that should be a document of the transfer protocol. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { decodeRun, decodeSpec } from '../../src/codec/transfer-run.js';
import { indentedText, readTransferText } from '../../src/codec/transfer-text.js';
import { reviewed, runOf, smallSpec } from '../support/transfer-samples.js';

const text = JSON.stringify(smallSpec);
function said(read: E.Either<{ readonly code: string; readonly detail: string }, unknown>): string {
  return E.isLeft(read) ? `${read.left.code}: ${read.left.detail}` : 'read';
}
const spec = (bytes: string | Uint8Array): string => said(decodeSpec(Buffer.from(bytes)));
const raw = (bytes: string): string => said(readTransferText(Buffer.from(bytes)));
const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels);

describe('transfer: bytes that are not a document', () => {
  const seed = (token: string): string => text.replace('"seed":7', `"seed":${token}`);
  const point = 'malformed: seed: must be an integer, without a point or an exponent';
  const cases: readonly (readonly [string, string | Uint8Array, RegExp | string])[] = [
    ['nothing', '', 'malformed: the document ends too early (line 1, column 1)'],
    ['half a document', text.slice(0, 40), /^malformed: /],
    ['two documents', text + text, /^malformed: unexpected text after the document/],
    ['a byte order mark', `\ufeff${text}`, /^malformed: a byte order mark/],
    ['Latin-1', Buffer.from(text.replace('first', 'prémière'), 'latin1'), 'malformed: not valid UTF-8'],
    [
      'an overlong form',
      Buffer.concat([Buffer.from('{"'), Buffer.from([0xc0, 0xaf]), Buffer.from('":1}')]),
      'malformed: not valid UTF-8',
    ],
    ['an unpaired surrogate', text.replace('first', '\\ud800'), /^malformed: tasks\[0\]\.id: unpaired surrogate/],
    ['a surrogate pair the wrong way round', text.replace('first', '\\udc00\\ud800'), /unpaired surrogate/],
    ['a surrogate in a name', text.replace('"seed"', '"\\udfff"'), /unpaired surrogate/],
    ['a comment', text.replace('{', '{/* */'), /^malformed: expected a member name/],
    ['NaN', seed('NaN'), /^malformed: seed: expected a value/],
    ['Infinity', seed('-Infinity'), /^malformed: seed: expected a value/],
    ['a leading zero', seed('07'), /^malformed: /],
    ['a leading plus', seed('+7'), /^malformed: seed: expected a value/],
    ['a float', seed('7.5'), point],
    ['a float that is whole', seed('7.0'), point],
    ['an exponent', seed('7e0'), point],
    ['a large exponent', seed('1e400'), /^malformed: seed: number out of range/],
    ['2^53', seed('9007199254740992'), /^malformed: seed: integer beyond 2\^53 - 1/],
    ['-2^53', seed('-9007199254740992'), /^malformed: seed: integer beyond 2\^53 - 1/],
    ['2^53 - 1', seed('9007199254740991'), 'invalid: seed: must be an integer from 1 to 9999'],
    ['a list', '[]', 'invalid: must be an object'],
    ['null', 'null', 'invalid: must be an object'],
    ['a number', '7', 'invalid: must be an object'],
  ];
  for (const [title, bytes, expected] of cases) {
    it(title, () => {
      if (typeof expected === 'string') assert.equal(spec(bytes), expected);
      else assert.match(spec(bytes), expected);
    });
  }

  it('are refused when nested 21 deep, and read when nested 20 deep', () => {
    assert.equal(raw(nested(20, '7')), 'read');
    assert.equal(raw(nested(21)), `malformed: ${'[0]'.repeat(20)}: nested deeper than 20 levels`);
    assert.match(raw(nested(65)), /nested deeper than 64 levels/);
    assert.match(raw(nested(100_000)), /nested deeper than 64 levels/);
    assert.match(spec(text.replace('"seed":7', `"seed":${nested(20)}`)), /^malformed: seed.*nested deeper than 20 levels$/);
  });

  it('are refused over 1 000 000 bytes', () => {
    const padded = (bytes: number): string => text + ' '.repeat(bytes - text.length);
    assert.equal(spec(padded(1_000_000)), 'read');
    assert.equal(spec(padded(1_000_001)), 'too_large: it has more than 1000000 bytes');
  });
});

describe('transfer: layouts of a run', () => {
  const run = reviewed(runOf());
  const read = (document: string): string => said(decodeRun(Buffer.from(document)));
  const refused =
    'malformed: the bytes are not as runs are written: canonical JSON, or indented by two spaces with a newline at the end';

  it('are read when canonical, indented and sorted, or indented in another order', () => {
    assert.equal(read(canonicalJson(run)), 'read');
    assert.equal(read(indentedText(run)), 'read');
    const { schema, ...rest } = run;
    assert.equal(read(`${JSON.stringify({ ...rest, schema }, null, 2)}\n`), 'read');
  });

  const canonical = canonicalJson(run);
  const indented = indentedText(run);
  const { core, ...rest } = run;
  const others: readonly (readonly [string, string])[] = [
    ['a newline after the canonical form', `${canonical}\n`],
    ['a space before it', ` ${canonical}`],
    ['a space inside', canonical.replace(',', ', ')],
    ['members in another order', JSON.stringify({ ...rest, core })],
    ['an escape that need not be', canonical.replace('Ana', '\\u0041na')],
    ['an escaped slash', canonical.replace('walk-forward', 'walk\\u002dforward')],
    ['minus zero', canonical.replace('"error_milli":0,', '"error_milli":-0,')],
    ['no newline at the end', indented.slice(0, -1)],
    ['two newlines at the end', `${indented}\n`],
    ['carriage returns', indented.replaceAll('\n', '\r\n')],
    ['indented by four', `${JSON.stringify(run, null, 4)}\n`],
    ['indented by tabs', `${JSON.stringify(run, null, '\t')}\n`],
  ];
  for (const [title, document] of others) it(`are refused: ${title}`, () => assert.equal(read(document), refused));
});
