/**
 * Specs and reviews of strangers: every limit at and beyond it. That a run with any member changed, missing or renamed is refused, its spec too, is
 * in app/transfer-mutations; what is no JSON, in base/json.
 */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { decodeRun, decodeSpec, type TransferReview } from '../../src/codec/transfer-run.js';
import { indentedText, readTransferText } from '../../src/codec/transfer-text.js';
import { changed } from '../support/codec/mutants.js';
import { reviewed, runOf, smallSpec } from '../support/app/transfer-samples.js';

const read = (document: unknown): string => readText(typeof document === 'string' ? document : JSON.stringify(document));
function readText(text: string | Buffer): string {
  const spec = decodeSpec(Buffer.from(text));
  return E.isLeft(spec) ? `${spec.left.code}: ${spec.left.detail}` : 'read';
}
const spread = (n: number, at = 0): number[] => Array.from({ length: n }, (_, i) => at + i);

describe('transfer spec: members', () => {
  it('is read in any layout and order', () => {
    assert.equal(read(smallSpec), 'read');
    assert.equal(readText(`\n ${JSON.stringify(smallSpec, null, 7)} \r\n\t`), 'read');
    const { schema, ...rest } = smallSpec;
    assert.equal(read({ ...rest, schema }), 'read');
  });

  it('refuses other members', () => {
    assert.equal(read({ ...smallSpec, note: 'x' }), 'invalid: note: unknown member');
    const task = { ...smallSpec.tasks[0], weight: 1 };
    assert.equal(read({ ...smallSpec, tasks: [task, smallSpec.tasks[1]] }), 'invalid: tasks[0].weight: unknown member');
    assert.equal(read('{"__proto__":{},' + JSON.stringify(smallSpec).slice(1)), 'invalid: __proto__: unknown member');
  });
});

describe('transfer spec: limits', () => {
  const task = (id: string, observed: number, heldout: number, at: number): unknown => ({
    id,
    observed: spread(observed, at),
    heldout: spread(heldout, at),
  });
  const tasks = (n: number): unknown[] => spread(n).map((i) => task(`t${i}`, 6, 4, i));
  const withTask = (observed: number, heldout: number): unknown => ({
    ...smallSpec,
    tasks: [task('a', observed, heldout, 0), task('b', 6, 4, 1)],
  });
  const id = (text: string): unknown => ({ ...smallSpec, tasks: [{ ...smallSpec.tasks[0], id: text }, smallSpec.tasks[1]] });
  const value = (n: number): unknown => ({ ...smallSpec, training: [n, ...smallSpec.training.slice(1)] });

  const cases: readonly (readonly [string, unknown, string])[] = [
    ['seed 1', { ...smallSpec, seed: 1 }, 'read'],
    ['seed 9999', { ...smallSpec, seed: 9_999 }, 'read'],
    ['seed 0', { ...smallSpec, seed: 0 }, 'invalid: seed: must be an integer from 1 to 9999'],
    ['seed 10000', { ...smallSpec, seed: 10_000 }, 'invalid: seed: must be an integer from 1 to 9999'],
    ['20 training values', { ...smallSpec, training: spread(20) }, 'read'],
    ['64 training values', { ...smallSpec, training: spread(64) }, 'read'],
    ['19 training values', { ...smallSpec, training: spread(19) }, 'invalid: training: must have 20 to 64 items, has 19'],
    ['65 training values', { ...smallSpec, training: spread(65) }, 'invalid: training: must have 20 to 64 items, has 65'],
    ['2 tasks', { ...smallSpec, tasks: tasks(2) }, 'read'],
    ['8 tasks', { ...smallSpec, tasks: tasks(8) }, 'read'],
    ['1 task', { ...smallSpec, tasks: tasks(1) }, 'invalid: tasks: must have 2 to 8 items, has 1'],
    ['9 tasks', { ...smallSpec, tasks: tasks(9) }, 'invalid: tasks: must have 2 to 8 items, has 9'],
    ['16 observed and 16 held out', withTask(16, 16), 'read'],
    ['5 observed', withTask(5, 4), 'invalid: tasks[0].observed: must have 6 to 16 items, has 5'],
    ['17 observed', withTask(17, 4), 'invalid: tasks[0].observed: must have 6 to 16 items, has 17'],
    ['3 held out', withTask(6, 3), 'invalid: tasks[0].heldout: must have 4 to 16 items, has 3'],
    ['17 held out', withTask(6, 17), 'invalid: tasks[0].heldout: must have 4 to 16 items, has 17'],
    ['values of 10000', value(10_000), 'read'],
    ['values of -10000', value(-10_000), 'read'],
    ['a value of 10001', value(10_001), 'invalid: training[0]: must be an integer from -10000 to 10000'],
    ['a value of -10001', value(-10_001), 'invalid: training[0]: must be an integer from -10000 to 10000'],
    ['an id of 64 characters', id('x'.repeat(64)), 'read'],
    ['an empty id', id(''), 'invalid: tasks[0].id: must be a string of 1 to 64 ASCII characters'],
    ['an id of 65 characters', id('x'.repeat(65)), 'invalid: tasks[0].id: must be a string of 1 to 64 ASCII characters'],
    ['an id beyond ASCII', id('tâche'), 'invalid: tasks[0].id: must be a string of 1 to 64 ASCII characters'],
    ['an id twice', id('second'), 'invalid: tasks[1].id: repeats the id of another task'],
    [
      'a task twice',
      { ...smallSpec, tasks: [smallSpec.tasks[0], { ...smallSpec.tasks[0], id: 'other' }] },
      'invalid: tasks[1]: repeats the values of the training or of another task',
    ],
    [
      'a task that is the training',
      {
        ...smallSpec,
        training: spread(20),
        tasks: [{ id: 'a', observed: spread(10), heldout: spread(10, 10) }, smallSpec.tasks[1]],
      },
      'invalid: tasks[0]: repeats the values of the training or of another task',
    ],
    [
      'another scenario',
      { ...smallSpec, scenario: 'other' },
      'invalid: scenario: must be one of seasonal, shift, ablation, custom',
    ],
    ['another schema', { ...smallSpec, schema: 'x' }, 'invalid: schema: must be "agialpha.transfer.v1.spec"'],
  ];
  for (const [title, document, expected] of cases)
    it(`judges ${title}: ${expected}`, () => assert.equal(read(document), expected));

  for (const rate of ['call_cost_milli', 'human_cost_milli_per_second', 'coordination_cost_milli', 'risk_limit_milli']) {
    it(`accepts ${rate} from 0 to 10 000 000`, () => {
      for (const n of [0, 10_000_000]) assert.equal(read({ ...smallSpec, [rate]: n }), 'read');
      for (const n of [-1, 10_000_001]) {
        assert.equal(read({ ...smallSpec, [rate]: n }), `invalid: ${rate}: must be an integer from 0 to 10000000`);
      }
    });
  }
});

const text = JSON.stringify(smallSpec);
const said = (read: E.Either<{ readonly code: string; readonly detail: string }, unknown>): string =>
  E.isLeft(read) ? `${read.left.code}: ${read.left.detail}` : 'read';
const spec = (bytes: string | Uint8Array): string => said(decodeSpec(Buffer.from(bytes)));
const raw = (bytes: string): string => said(readTransferText(Buffer.from(bytes)));
const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels);

describe('transfer: bytes that are not a document', () => {
  const seed = (token: string): string => text.replace('"seed":7', `"seed":${token}`);
  const point = 'malformed: seed: must be an integer, without a point or an exponent';
  const cases: readonly (readonly [string, string | Uint8Array, RegExp | string])[] = [
    ['a float', seed('7.5'), point],
    ['a float that is whole', seed('7.0'), point],
    ['an exponent', seed('7e0'), point],
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

describe('transfer run: limits', () => {
  const run = reviewed(runOf());
  const read = (document: unknown): string => said(decodeRun(Buffer.from(canonicalJson(document))));
  const review = (changes: Partial<Record<keyof TransferReview, unknown>>): string =>
    read({ ...run, review: { ...run.review, ...changes } });

  for (const member of ['reviewer', 'reason'] as const) {
    it(`requires 1 to 500 characters that are not blank for ${member}`, () => {
      for (const text of ['x', 'x'.repeat(500), '\u{1f9ea}'.repeat(500), 'été']) assert.equal(review({ [member]: text }), 'read');
      for (const text of ['', ' ', '\t\n', '\u0000', '\u00a0\u2003', 'x'.repeat(501), '\u{1f9ea}'.repeat(501)]) {
        assert.equal(
          review({ [member]: text }),
          `invalid: review.${member}: must be a text of 1 to 500 characters that is not blank`,
        );
      }
    });
  }

  for (const member of ['control_ms', 'treatment_ms'] as const) {
    it(`accepts from 1 ms to a day for ${member}`, () => {
      for (const ms of [1, 86_400_000]) assert.equal(review({ [member]: ms }), 'read');
      for (const ms of [0, -1, 86_400_001]) {
        assert.equal(review({ [member]: ms }), `invalid: review.${member}: must be an integer from 1 to 86400000`);
      }
    });
  }

  it('accepts from 1 ms to a day for wall_ms', () => {
    const wall = (ms: number): string => read(changed(run, ['observations', 'wall_ms'], () => ms));
    assert.deepEqual([1, 86_400_000].map(wall), ['read', 'read']);
    const refused = 'invalid: observations.wall_ms: must be an integer from 1 to 86400000';
    assert.deepEqual([0, 86_400_001].map(wall), [refused, refused]);
  });

  it('accepts only known decisions and timing sources', () => {
    for (const decision of ['accept', 'reject', 'repair']) assert.equal(review({ decision }), 'read');
    for (const timing_source of ['operator-reported', 'browser-elapsed']) assert.equal(review({ timing_source }), 'read');
    assert.equal(review({ decision: 'Accept' }), 'invalid: review.decision: must be one of accept, reject, repair');
    assert.equal(
      review({ timing_source: 'guessed' }),
      'invalid: review.timing_source: must be one of operator-reported, browser-elapsed',
    );
  });

  it('requires 64 lower-case hexadecimal digits for digests', () => {
    for (const path of [['sha256'], ['core', 'spec_sha256'], ['review', 'run_sha256']]) {
      for (const text of ['', 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(64)}\n`]) {
        assert.match(read(changed(run, path, () => text)), new RegExp(`^invalid: ${path.join('\\.')}: must match`));
      }
    }
  });
});
