/** Every field of a mission, written by hand from the specification: its place, its type, its bounds. */
import type { Kind } from '../../../src/codec/kinds.js';
import type { Path } from './mission-samples.js';

type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

export interface FieldCase {
  readonly kind: Kind;
  readonly path: Path;
  readonly type: JsonType | 'any' | 'number or null' | 'number or string';
  readonly presence: 'required' | 'optional' | { readonly fallback: unknown };
  /** Values at the bounds and inside. */
  readonly good: readonly unknown[];
  /** Values of the right type just outside. */
  readonly bad: readonly unknown[];
}

const times = <A>(count: number, make: (i: number) => A): A[] => Array.from({ length: count }, (_, i) => make(i));
const chars = (count: number): string => 'x'.repeat(count);
const sources = (count: number): unknown => times(count, (i) => ({ id: `s${i}`, title: 't', text: 't' }));
const items = (count: number): unknown => times(count, (i) => ({ id: `i${i}`, cost: 1, value: 0 }));
const operations = (count: number): unknown => times(count, () => ({ machine: 'm', duration: 1 }));
const jobs = (count: number): unknown => times(count, (i) => ({ id: `j${i}`, operations: operations(1) }));
const cases = (count: number): unknown => times(count, () => ({ args: [], expected: null }));
const numbers = (count: number): number[] => times(count, (i) => i);

const goodIds = ['a', 'Z-9_', '-', '_', chars(64)];
const badIds = ['', chars(65), 'a b', 'a.b', 'a/b', ' a', 'a\n', '\u00e4', '\uff11', 'a\u0000'];
const notIntegers = [1.5, 4.000_000_1];
const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const goodUnits = ['u', ' u ', chars(60)];
const goodTitles = ['t', ' Größe 7/b, „Nord“ ', chars(200)];
const badTitles = ['', ' ', '\t\n', chars(201)];
const badStarts = [
  '',
  '2026-12-07',
  '2026-12-07 8:0',
  '2026-12-07 24:00',
  '2026-02-29 08:00',
  '2026-13-01 08:00',
  '2026-12-07 08:00Z',
];
const badUnits = ['', ' ', '\t\n', chars(61)];

type Row = readonly [
  path: Path,
  type: FieldCase['type'],
  presence: FieldCase['presence'],
  good: readonly unknown[],
  bad: readonly unknown[],
];
const rows = (kind: Kind, table: readonly Row[]): FieldCase[] =>
  table.map(([path, type, presence, good, bad]) => ({ kind, path, type, presence, good, bad }));

const source: Path = ['work', 'sources', 0];
const item: Path = ['work', 'items', 0];
const job: Path = ['work', 'jobs', 0];
const operation: Path = [...job, 'operations', 0];
const heldout: Path = ['work', 'heldout', 0];
const anything = ['', 0, false, null, [], {}, [[{ a: [null] }]]];

const common = (kind: Kind): FieldCase[] =>
  rows(kind, [
    [['goal'], 'string', 'required', [chars(3), ' a ', chars(2000)], ['', 'ab', '   ', '\n\t\u00a0', chars(2001)]],
    [['work'], 'object', 'required', [], [{}]],
    [['work', 'kind'], 'string', 'required', [], ['', 'Research', `${kind} `, 'constructor', '__proto__', 'toString']],
    [['seed'], 'number', { fallback: 42 }, [0, 4_294_967_295], [-1, 4_294_967_296, ...notIntegers, ...notFinite]],
    [['population'], 'number', { fallback: 20 }, [4, 500], [3, 501, ...notIntegers, ...notFinite]],
    [['generations'], 'number', { fallback: 12 }, [1, 1000], [0, 1001, ...notIntegers, ...notFinite]],
  ]);

export const fieldCases: readonly FieldCase[] = [
  ...common('research'),
  ...common('allocation'),
  ...common('schedule'),
  ...common('forecast'),
  ...common('code'),
  ...rows('research', [
    [['work', 'sources'], 'array', 'required', [sources(1), sources(200)], [[], sources(201)]],
    [[...source, 'id'], 'string', 'required', goodIds, badIds],
    [[...source, 'title'], 'string', 'required', ['t', chars(300)], ['', chars(301)]],
    [[...source, 'text'], 'string', 'required', ['t', ' ', chars(200_000)], ['', chars(200_001)]],
    [[...source, 'url'], 'string', { fallback: '' }, ['', 'https://example.org/', chars(2048)], [chars(2049)]],
  ]),
  ...rows('allocation', [
    [['work', 'items'], 'array', 'required', [items(1), items(2000)], [[], items(2001)]],
    [['work', 'budget'], 'number', 'required', [0, 0.5, 1.5, 1e13], [-0.001, -1, 10_000_000_000_001, ...notFinite]],
    [['work', 'max_risk'], 'number', 'optional', [0, 0.5, 20_000_000], [-0.001, 20_000_000.001, ...notFinite]],
    [['work', 'unit'], 'string', { fallback: 'planning units' }, goodUnits, badUnits],
    [[...item, 'id'], 'string', 'required', goodIds, badIds],
    [[...item, 'title'], 'string', 'optional', goodTitles, badTitles],
    [[...item, 'cost'], 'number', 'required', [0, 0.25, 1.25, 1e12], [-0.001, -1, 1_000_000_000_001, ...notFinite]],
    [[...item, 'value'], 'number', 'required', [0, 0.25, 1e12], [-0.001, 1_000_000_000_001, ...notFinite]],
    [[...item, 'risk'], 'number', { fallback: 0 }, [0, 0.25, 10_000], [-0.001, 10_000.001, ...notFinite]],
    [[...item, 'group'], 'string', 'optional', goodIds, badIds],
    [[...item, 'requires'], 'array', 'optional', [[], ['b'], times(2000, () => 'b')], [times(2001, () => 'b')]],
    [[...item, 'requires', 0], 'string', 'optional', ['b'], badIds],
    [[...item, 'excludes'], 'array', 'optional', [[], ['b'], times(2000, () => 'b')], [times(2001, () => 'b')]],
    [[...item, 'excludes', 0], 'string', 'optional', ['b'], badIds],
    [[...item, 'required'], 'boolean', 'optional', [true, false], []],
  ]),
  ...rows('schedule', [
    [['work', 'jobs'], 'array', 'required', [jobs(1), jobs(200)], [[], jobs(201)]],
    [['work', 'start'], 'string', 'optional', ['2026-12-07 08:00', '2026-12-07T08:00:30', '2024-02-29 00:00'], badStarts],
    [['work', 'objective'], 'string', { fallback: 'makespan' }, ['makespan'], ['', 'Makespan', 'lateness']],
    [['work', 'unit'], 'string', { fallback: 'minutes' }, goodUnits, badUnits],
    [[...job, 'id'], 'string', 'required', goodIds, badIds],
    [[...job, 'operations'], 'array', 'required', [operations(1), operations(50)], [[], operations(51)]],
    [[...job, 'title'], 'string', 'optional', goodTitles, badTitles],
    [
      [...job, 'release'],
      'number or string',
      { fallback: 0 },
      [0, 1_000_000_000],
      [-1, 1_000_000_001, ...notIntegers, ...notFinite],
    ],
    [[...job, 'due'], 'number or string', 'optional', [0, 1_000_000_000], [-1, 1_000_000_001, ...notIntegers, ...notFinite]],
    [[...job, 'weight'], 'number', { fallback: 1 }, [0, 10_000], [-1, 10_001, ...notIntegers, ...notFinite]],
    [[...operation, 'machine'], 'string', 'required', goodIds, badIds],
    [[...operation, 'duration'], 'number', 'required', [1, 100_000], [-1, 100_001, ...notIntegers, ...notFinite]],
  ]),
  ...rows('forecast', [
    [['work', 'observations'], 'array', 'required', [numbers(12), numbers(20_000)], [[], numbers(11), numbers(20_001)]],
    [['work', 'observations', 3], 'number or null', 'required', [-1e15, 0.5, 1e15], [-1e15 - 1, 1e15 + 1, ...notFinite]],
    [['work', 'horizon'], 'number', { fallback: 3 }, [1, 1000], [0, 1001, ...notIntegers, ...notFinite]],
    [['work', 'holdout'], 'number', { fallback: 4 }, [2, 4], [1, 1001, 2.5, ...notFinite]],
    [['work', 'season'], 'number', { fallback: 'auto' }, [1, 4], [0, 1001, ...notIntegers, ...notFinite]],
    [['work', 'seasons'], 'array', 'optional', [[1], [2, 3, 4, 1]], [[], [1, 1, 1, 1, 1]]],
    [['work', 'seasons', 0], 'number', 'optional', [1, 4], [0, 1001, ...notIntegers, ...notFinite]],
    [['work', 'levels'], 'array', { fallback: [50, 80, 95] }, [[1], times(10, (i) => i + 90)], [[], times(11, (i) => i + 1)]],
    [['work', 'levels', 0], 'number', 'optional', [1, 99], [0, 100, ...notIntegers, ...notFinite]],
    [['work', 'unit'], 'string', { fallback: 'units' }, goodUnits, badUnits],
  ]),
  ...rows('code', [
    [['work', 'language'], 'string', { fallback: 'python' }, ['python', 'javascript'], ['', 'Python', 'typescript']],
    [['work', 'examples'], 'array', { fallback: [] }, [[], cases(10)], [cases(11)]],
    [['work', 'heldout'], 'array', 'required', [cases(1), cases(100)], [[], cases(101)]],
    [['work', 'candidate'], 'string', { fallback: '' }, ['', chars(100_000)], [chars(100_001)]],
    [heldout, 'object', 'required', [{ expected: 1, args: [1] }], []],
    [[...heldout, 'args'], 'array', 'required', [[], anything, numbers(20)], [numbers(21)]],
    [[...heldout, 'args', 0], 'any', 'optional', anything, []],
    [[...heldout, 'expected'], 'any', 'required', anything, []],
  ]),
];

/** Objects of each kind, every one closed. */
export const levels: readonly (readonly [Kind, Path])[] = [
  ['research', []],
  ['research', ['work']],
  ['research', source],
  ['allocation', []],
  ['allocation', ['work']],
  ['allocation', item],
  ['schedule', []],
  ['schedule', ['work']],
  ['schedule', job],
  ['schedule', operation],
  ['forecast', []],
  ['forecast', ['work']],
  ['code', []],
  ['code', ['work']],
  ['code', heldout],
];
