/**
 * The inputs of test/vectors/reports, each run as its user would, against the outcome in `expected.json`: the exit code, and checks of the JSON that
 * the command prints (on standard error for a refusal). A path is dotted; a number is a place in a list, `*` each of its entries. @slow
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { homeScratch, type HostedScratch, root } from '../support/cli/cli-run.js';
import { real } from '../support/real.js';

interface Check {
  readonly path: string;
  readonly equals?: unknown;
  readonly near?: readonly [value: number, distance: number];
  readonly min?: number;
  readonly max?: number;
  readonly nonnegative?: true;
  readonly nonempty?: true;
  readonly length?: number;
  readonly contains?: string;
  readonly matches?: string;
  readonly sum?: readonly [from: number, to: number];
  readonly mae?: { readonly truth: readonly number[]; readonly max: number };
  /** All of these are paths of `errors`. */
  readonly names?: readonly string[];
  /** One of these, or a path within it, is a path of `errors`. */
  readonly names_any?: readonly string[];
}

interface Outcome {
  readonly rc: number;
  readonly checks: readonly Check[];
  /** `show ID` prints no control characters that move or reorder text. */
  readonly show?: true;
}

type Expected = Outcome | { readonly either: readonly Outcome[] };

const folder = join(root, 'test', 'vectors', 'reports');
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Readonly<Record<string, Expected>>;

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (name === '*') return Object.values(value).flatMap((each: unknown) => valuesAt(each, rest));
  return valuesAt((value as Readonly<Record<string, unknown>>)[name], rest);
}

const numbersIn = (value: unknown): readonly number[] => [value].flat(5).map(Number);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const total = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

function assertCheck(printed: unknown, check: Check): void {
  const { path, equals, near, min, max, sum, mae, length, contains, matches, names, names_any } = check;
  const values = valuesAt(printed, path.split('.'));
  assert.ok(values.length > 0, `${path} is missing`);
  for (const value of values) {
    const holds = (isSo: boolean): void => assert.ok(isSo, `${path} is ${textOf(value)}, expected ${JSON.stringify(check)}`);
    const every = (test: (x: number) => boolean): void => holds(numbersIn(value).every(test));
    if ('equals' in check) assert.deepEqual(value, equals, path);
    if (near !== undefined) every((x) => Math.abs(x - near[0]) <= near[1]);
    if (min !== undefined) every((x) => x >= min);
    if (max !== undefined) every((x) => x <= max);
    if (check.nonnegative === true) every((x) => x >= 0);
    if (check.nonempty === true) holds((value as string | unknown[]).length > 0);
    if (length !== undefined) holds([...(value as string | unknown[])].length === length);
    if (contains !== undefined) holds(textOf(value).includes(contains));
    if (matches !== undefined) holds(new RegExp(matches, 'iu').test(textOf(value)));
    if (sum !== undefined) holds(total(numbersIn(value)) >= sum[0] && total(numbersIn(value)) <= sum[1]);
    if (mae !== undefined) {
      const errors = mae.truth.map((truth, i) => Math.abs(truth - (numbersIn(value)[i] ?? Number.NaN)));
      holds(total(errors) / errors.length <= mae.max);
    }
    const paths = names === undefined && names_any === undefined ? [] : (value as { path: string }[]).map((error) => error.path);
    for (const name of names ?? []) holds(paths.includes(name));
    if (names_any !== undefined) holds(names_any.some((name) => paths.some((each) => each.startsWith(name))));
  }
}

function assertOutcome(place: HostedScratch, file: string): void {
  const wanted = expected[file.slice(file.lastIndexOf('/') + 1)];
  assert.ok(wanted !== undefined);
  const { code, stdout, stderr } = place.run('run', file, '--execute', '--json');
  const outcomes = 'either' in wanted ? wanted.either : [wanted];
  const outcome = outcomes.find(({ rc }) => rc === code);
  assert.ok(outcome !== undefined, `ended with ${String(code)}: ${stderr}${stdout}`);
  const printed: unknown = JSON.parse(code === 0 ? stdout : stderr);
  for (const check of outcome.checks) assertCheck(printed, check);
  if (outcome.show !== true) return;
  const shown = place.run('show', String((printed as { id: unknown }).id));
  assert.equal(shown.code, 0, shown.stderr);
  // oxlint-disable-next-line no-control-regex -- these are what must not be printed
  assert.doesNotMatch(shown.stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
}

/** Makes a test of each file. */
function outcomesOf(files: readonly string[]): void {
  let place: HostedScratch;
  before(() => {
    place = homeScratch();
  });
  after(() => place.remove());
  for (const file of files) it(`gives the outcome of ${file.slice(file.lastIndexOf('/') + 1)}`, () => assertOutcome(place, file));
}

describe('the inputs after public reports', () => {
  const files = readdirSync(folder).filter((name) => Object.hasOwn(expected, name));
  outcomesOf(files.toSorted().map((name) => join(folder, name)));
});

real('test-data', 'the inputs after public reports that hold public figures', () => {
  const data = resolve(root, process.env['AGENT_TEST_DATA'] ?? '../shared/data', 'reports');
  const files = [
    '130-forecast-car-sales-36.json',
    '131-forecast-paper-36.json',
    '132-schedule-abz6.json',
    '133-schedule-la17.json',
  ].map((name) => join(data, name));
  outcomesOf(files.filter((file) => existsSync(file)));
});
