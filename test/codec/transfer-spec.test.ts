/** Specs of strangers: every member missing, of another type, out of range, unknown or repeated; every limit at and beyond it. */
import assert from 'node:assert/strict';
import * as E from 'fp-ts/lib/Either.js';
import { decodeSpec } from '../../src/codec/transfer-run.js';
import { smallSpec } from '../support/transfer-samples.js';
import { changed, paths, type Path } from '../support/mutants.js';

const read = (document: unknown): string => readText(typeof document === 'string' ? document : JSON.stringify(document));
function readText(text: string | Buffer): string {
  const spec = decodeSpec(Buffer.from(text));
  return E.isLeft(spec) ? `${spec.left.code}: ${spec.left.detail}` : 'read';
}
const shown = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
const spread = (n: number, at = 0): number[] => Array.from({ length: n }, (_, i) => at + i);

describe('transfer spec: members', () => {
  it('is read in any layout and order', () => {
    assert.equal(read(smallSpec), 'read');
    assert.equal(readText(`\n ${JSON.stringify(smallSpec, null, 7)} \r\n\t`), 'read');
    const { schema, ...rest } = smallSpec;
    assert.equal(read({ ...rest, schema }), 'read');
  });

  for (const path of paths(smallSpec)) {
    if (typeof path.at(-1) === 'number') continue;
    it(`requires ${shown(path)}, and its type`, () => {
      const less = read(changed(smallSpec, path, () => undefined));
      assert.equal(less, `invalid: ${shown(path)}: required`);
      const types = [null, true, 7, 'x', [], {}, [null], ['7'], 1.5, '7'];
      for (const value of types) {
        const said = read(changed(smallSpec, path, () => value));
        const fits = said === 'read';
        const same = typeof value === typeof path.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], smallSpec);
        if (fits) assert.ok(same && !Array.isArray(value) && value !== null, `${shown(path)}: ${JSON.stringify(value)}`);
        else assert.ok(said.includes(shown(path)), said);
      }
    });
  }

  it('refuses other members', () => {
    assert.equal(read({ ...smallSpec, note: 'x' }), 'invalid: note: unknown member');
    const task = { ...smallSpec.tasks[0], weight: 1 };
    assert.equal(read({ ...smallSpec, tasks: [task, smallSpec.tasks[1]] }), 'invalid: tasks[0].weight: unknown member');
    assert.equal(read('{"__proto__":{},' + JSON.stringify(smallSpec).slice(1)), 'invalid: __proto__: unknown member');
  });

  it('refuses a repeated member', () => {
    const text = JSON.stringify(smallSpec);
    assert.match(readText(text.replace('{', '{"seed":1,')), /^malformed: seed: duplicate member \(line 1, column \d+\)$/);
    assert.match(readText(text.replace('{"id"', '{"\\u0069d":"x","id"')), /^malformed: tasks\[0\]\.id: duplicate member/);
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
