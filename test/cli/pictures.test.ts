/** Pictures of results: golden texts, and what holds for every one of them, whatever the result holds. */
import { deepStrictEqual, doesNotMatch, match, notStrictEqual, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture, type DrawnMission } from '../../src/cli/pictures/picture.js';
import { glyphsFor, type Screen } from '../../src/pictures/screen.js';
import { pasteable } from '../../src/cli/text.js';
import { packageRoot } from '../support/package-root.js';
import { allocated, extremes, forecasted, researched, scheduled, shop } from '../support/picture-samples.js';

const folder = join(packageRoot(import.meta.url), 'test', 'vectors', 'cli', 'pictures');
const utf8: Screen = { glyphs: glyphsFor({ LC_ALL: 'C.UTF-8' }, 'linux'), paint: (_, text) => text, columns: 99 };
const ascii: Screen = { ...utf8, glyphs: glyphsFor({ LC_ALL: 'C' }, 'linux') };
const coloured: Screen = { ...utf8, paint: (colour, text) => `\u0001${colour}\u0002${text}\u0003` };

const kinds = ['schedule', 'forecast', 'allocation', 'research'];
const examples: Readonly<Record<string, DrawnMission>> = Object.fromEntries(
  kinds.map((kind) => [kind, JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')) as DrawnMission]),
);
const all = { ...examples, ...extremes };

function draw(mission: DrawnMission | undefined, screen = utf8): string[] {
  const lines = mission === undefined ? null : picture(mission, screen);
  if (lines === null) throw new Error('there is no picture');
  return lines;
}
const text = (mission: DrawnMission | undefined, screen = utf8): string => draw(mission, screen).join('\n');

function sameAsGolden(name: string, lines: readonly string[]): void {
  const path = join(folder, `${name}.txt`);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, `${lines.join('\n')}\n`);
  deepStrictEqual(lines, readFileSync(path, 'utf8').slice(0, -1).split('\n'));
}

/** A reading of its own, wider than most: all from Hangul on is wide, but punctuation, lines, blocks and arrows; marks and joiners are not. */
const wide = (point: string): number =>
  /[\p{M}\u200c\u200d]/u.test(point) && point !== '\ufe0f'
    ? 0
    : /[\u1100-\u1fff\u2e80-\ufdff\ufe30-\uffe6]/.test(point) || point.length > 1
      ? 2
      : 1;
const columns = (line: string): number =>
  Array.from(line).reduce((sum, point) => sum + (point === '\ufffd' ? 1 : wide(point)), 0);

describe('pictures: golden texts (UPDATE_GOLDEN=1 rewrites them)', () => {
  for (const [name, mission] of Object.entries(all)) it(name, () => sameAsGolden(name, draw(mission)));
  for (const kind of kinds)
    it(`are the same without UTF-8: ${kind}`, () => sameAsGolden(`${kind}-ascii`, draw(examples[kind], ascii)));
});

describe('pictures: every golden text', () => {
  for (const [name, mission] of Object.entries(all)) {
    it(`fits, ends, and cannot control the terminal: ${name}`, () => {
      const lines = draw(mission);
      for (const line of lines) strictEqual(columns(line) <= 99, true, `${columns(line)} columns: ${line}`);
      strictEqual(lines.length <= 42, true, `${lines.length} lines`);
      doesNotMatch(
        lines.join('\n').replaceAll('\n', ''),
        /[\p{Cc}\p{Cs}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufeff\u{e0000}-\u{e007f}]/u,
      );
      doesNotMatch(lines.join('\n'), /NaN|Infinity|undefined|null|\[object/);
      for (const line of lines) strictEqual(line, line.trimEnd());
      for (const line of lines) strictEqual(pasteable(line, 'host', 'D'), line, 'looks like a command of ours');
    });
    it(`is the same again, and under its colours: ${name}`, () => {
      strictEqual(text(mission), text(mission));
      const marked = text(mission, coloured);
      strictEqual(marked.replaceAll(/\u0001\w+\u0002|\u0003/g, ''), text(mission));
      match(marked, /\u0001bold\u0002/);
    });
  }
  it('adds nothing but ASCII without UTF-8', () => {
    for (const kind of kinds) doesNotMatch(text(examples[kind], ascii), /[^\n -~]/, kind);
    match(text(examples['schedule'], ascii), /\|BBBBBBAAAACC/);
  });
});

describe('pictures: results that are not drawn', () => {
  for (const kind of kinds) {
    const mission = examples[kind] ?? scheduled([]);
    const result = mission.result as Record<string, unknown>;
    it(`ignores unknown members and a missing request: ${kind}`, () => {
      deepStrictEqual(picture({ ...mission, result: { ...result, later: [{ a: 1 }] } }, utf8), draw(mission));
      notStrictEqual(picture({ ...mission, request: null }, utf8), null);
      notStrictEqual(picture({ ...mission, request: { work: { kind: 'else' } } }, utf8), null);
    });
    it(`draws no picture of a result of another shape: ${kind}`, () => {
      for (const other of [null, 'text', 7, [], {}]) strictEqual(picture({ ...mission, result: other }, utf8), null);
      const drawn = ['operations', 'makespan', 'forecast', 'intervals', 'selected', 'sensitivity', 'findings', 'coverage'];
      for (const name of drawn.filter((name) => name in result))
        for (const other of [undefined, 'x', null, [{}]])
          strictEqual(picture({ ...mission, result: { ...result, [name]: other } }, utf8), null, name);
    });
  }
  it('draws no picture of a kind without one', () =>
    strictEqual(picture({ kind: 'code', goal: 'x', request: null, result: {} }, utf8), null));
});

describe('pictures: what they show', () => {
  it('shows late jobs of a schedule in red, and how many are hidden', () => {
    const late = scheduled([{ job: 'a', machine: 'm', start: 0, end: 9 }], { tardiness: 4 }, 5);
    match(text(late), /1 of 1 job with a due time is late/);
    match(text(late), /A a 0 to 9 {2}4 late/);
    match(text(late, coloured), /\u0001red\u0002A+\u0003/);
    match(text(extremes['schedule-crowded']), /… 182 more jobs, 102 of them late \(--json has all\)/);
    match(text(extremes['schedule-machines']), /… 86 more machines, at most \d+(\.\d)? % busy \(--json has all\)/);
  });
  it('draws a Gantt row as long as its operations', () => {
    const half = [
      { job: 'a', machine: 'one', start: 0, end: 50 },
      { job: 'b', machine: 'two', start: 50, end: 100 },
    ];
    const [one = '', two = ''] = draw(scheduled(half)).filter((line) => /(one|two) │/.test(line));
    const count = (line: string, letter: string): number => line.replace(/^.*?│/, '').split(letter).length - 1;
    strictEqual(Math.abs(count(one, 'A') - count(two, 'B')) <= 1, true);
    strictEqual(count(one, 'A') > 35, true);
    match(one, /│A+·+│ {3}50 %$/);
    match(two, /│·+B+│ {3}50 %$/);
  });
  it('shows how busy the machines are in a schedule with more jobs than letters', () => {
    match(text(scheduled(shop(63, 1, 2, 4))), /│█+│/);
    match(text(scheduled(shop(62, 1, 2, 4))), /│AACCCEE/);
  });
  it('shows held-out steps of a forecast beside their predictions, and how many steps were cut', () => {
    const long = text(extremes['forecast-long']);
    match(long, /one column is \d+ steps/);
    match(long, /… \d+ more steps \(--json has all\)/);
    match(text(examples['forecast']), /×/);
    match(text(forecasted([1, 2, 3], [4], { holdout_actual: [], holdout_predictions: [] })), /forecast +4/);
    doesNotMatch(text(forecasted([1, 2, 3], [4], { holdout_actual: [], holdout_predictions: [] })), /held out|×/);
  });
  it('draws a result far beyond our limits', () => {
    const values = Array.from({ length: 200_000 }, (_, i) => i % 9);
    strictEqual(text(forecasted(values, values, { coverage: [] })).split('\n').length <= 42, true);
  });
  it('numbers the steps of a forecast as in the series, also without it', () => {
    match(text({ ...(examples['forecast'] ?? researched([])), request: null }), /106 held out/);
  });
  it('shows how many items of a portfolio are hidden, and the optimum without a request', () => {
    match(text(extremes['allocation-2000']), /selected: 900 items of 2000/);
    match(text(extremes['allocation-2000']), /… 892 more items \(--json has all\)/);
    match(text(extremes['allocation-2000']), /other reasons +628 /);
    match(text(allocated(4, 2, 1, { optimality_proven: 'bound' })), /optimal \(proven\), gap 0: the bound is reached/);
    match(text({ ...allocated(4, 2), request: null }), /items +item_0, item_1\n/);
  });
  it('marks the words of the goal in findings, draws quotes behind a bar, and counts the hidden ones', () => {
    const one = researched([
      { quote: 'Two storms broke the pier.', title: 'Log', url: 'https://e.org', terms: ['storm', 'broke'] },
    ]);
    match(text(one, coloured), /\u0001yellow\u0002storms\u0003/);
    match(text(one), /\[1\] Log <https:\/\/e\.org> +s0 0-26 {4}9\.0\n {7}│ Two storms broke the pier\./);
    const { findings } = one.result as { readonly findings: readonly object[] };
    const repeated = (copies: number, also_in: readonly string[]): string =>
      text({
        ...one,
        result: { ...(one.result as object), findings: findings.map((finding) => ({ ...finding, copies, also_in })) },
      });
    match(repeated(3, ['s1', 's2']), /pier\.\n {7}repeated 3 times, also in s1, s2\n/);
    match(repeated(1, []), /repeated once in this source\n/);
    match(text(extremes['research-long']), /… 5 more findings \(--json has all\)/);
    match(text(extremes['research-nothing']), /no relevant passage in 0 sources/);
    match(text(extremes['research-nothing']), /not covered +storm, harbour, citi/);
  });
});
