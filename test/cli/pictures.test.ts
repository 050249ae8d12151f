/** Pictures of results: golden texts, and what holds for every one of them, whatever the result holds. */
import { deepStrictEqual, doesNotMatch, match, notStrictEqual, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DrawnMission, picture } from '../../src/cli/render.js';
import { pasteable } from '../../src/cli/text.js';
import { askedCoverage, marked, wordsFor } from '../../src/kinds/research/terms.js';
import { byRank } from '../../src/kinds/research/view.js';
import { axisLines, roundStep, timeMarks } from '../../src/pictures/axis.js';
import { clean, columnsOf, fit, wrapTo } from '../../src/pictures/columns.js';
import { alike, figure, glyphsFor, marks, percent, type Screen, signed } from '../../src/pictures/screen.js';
import { grid } from '../../src/pictures/layout.js';
import { packageRoot } from '../support/package-root.js';
import { allocated, extremes, researched, scheduled } from '../support/cli/picture-samples.js';
import { membersOf } from '../support/lists.js';

const folder = join(packageRoot(import.meta.url), 'test', 'vectors', 'cli', 'pictures');
const utf8: Screen = { glyphs: glyphsFor({ LC_ALL: 'C.UTF-8' }, 'linux'), paint: (_, text) => text, columns: 99 };
const ascii: Screen = { ...utf8, glyphs: glyphsFor({ LC_ALL: 'C' }, 'linux') };
const coloured: Screen = { ...utf8, paint: (colour, text) => `\u0001${colour}\u0002${text}\u0003` };

const kinds = ['schedule', 'forecast', 'allocation', 'research', 'code'];
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
const columns = (line: string): number => Array.from(line).reduce((sum, point) => sum + wide(point), 0);

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
      const drawn = 'operations makespan forecast intervals selected sensitivity findings coverage verdicts'.split(' ');
      for (const name of drawn.filter((name) => name in result))
        for (const other of [undefined, 'x', null, [{}]])
          strictEqual(picture({ ...mission, result: { ...result, [name]: other } }, utf8), null, name);
    });
  }
});

describe('pictures: what they show', () => {
  it('shows late jobs of a schedule in red, every job, and how many machines the chart leaves out', () => {
    const late = scheduled([{ job: 'a', machine: 'm', start: 0, end: 9 }], { tardiness: 4 }, { due: 5 });
    match(text(late), /; the job with a due time is late: a\./);
    match(text(late), /A a\n/);
    match(text(late), /Late by, minutes\n {4}a {8}0 {4}9 {4}5 {17}4\n/);
    match(text(late), /a {4}no other job/);
    const others = [
      { job: 'b', machine: 'm', start: 0, end: 3 },
      { job: 'b', machine: 'n', start: 3, end: 9 },
      { job: 'a', machine: 'o', start: 1, end: 2 },
      { job: 'a', machine: 'm', start: 3, end: 5 },
      { job: 'a', machine: 'm', start: 5, end: 7 },
    ];
    match(
      text(scheduled(others, { tardiness: 2 }, { due: 5 })),
      /Why jobs are late\n.*\n {4}b {4}no other job\n {4}a {4}b on m \(0 to 3\)$/m,
    );
    match(text(scheduled(others, {}, { due: 5, release: 3 })), / {4}a {4}no other job$/m);
    match(text(late, coloured), /\u0001red\u0002A+\u0003/);
    for (const job of ['job_0', 'job_199']) match(text(extremes['schedule-crowded']), new RegExp(` ${job} +[\\d,]+ +[\\d,]+`));
    match(text(extremes['schedule-machines']), /… 86 more machines, at most \d+(\.\d)? % busy \(--json has all\)/);
  });
  it('shows a program whole, with the numbers of its lines, and every case with its verdict', () => {
    const mission = examples['code'] ?? scheduled([]);
    const result = mission.result as { readonly code: string };
    const lines = draw({ ...mission, request: null });
    for (const [i, line] of result.code.trimEnd().split('\n').entries())
      strictEqual(lines.includes(`  ${String(i + 1).padStart(2)} │ ${line}`.trimEnd()), true, `${i + 1}: ${line}`);
    match(text(mission), /Examples\n {4}1 {2}passed +solve\(\[\[0,30\],\[20,50\]\], 0\) is 50\n {4}2 {2}no output +solve/);
    const long = `const solve = () => '${'x'.repeat(300)}';`;
    const cut = draw({ ...mission, result: { ...result, code: `${long}\n  2` } }).flatMap(
      (line) => /^ {2}[ \d] │(?: (.*))?$/.exec(line)?.[1] ?? [],
    );
    deepStrictEqual([cut.slice(0, -1).join(''), cut.at(-1)], [long, '  2']);
    match(text(mission, coloured), /\u0001green\u0002passed/);
  });
  it('shows no cost of an allocation above its budget by rounding', () => {
    match(text(allocated(60, 49, 1.003)), /at a cost of 12,278\.7 (.|\n)* Cost +12,278\.7 planning units \(of 12,279\.7\)/);
  });
  it('shows the limitations of a result whole', () => {
    const limits = 'Nothing is bought, and this sentence is one of very many. '.repeat(40).trim();
    const lines = draw(scheduled([{ job: 'a', machine: 'm', start: 0, end: 9 }], { limits }));
    const from = lines.findIndex((line) => line.startsWith('  Limitations'));
    strictEqual(
      lines
        .slice(from)
        .map((line) => line.slice(21))
        .join(' '),
      limits,
    );
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
    // As in the result, a machine's share is that of the makespan, which counts from 0.
    const later = half.map((each) => ({ ...each, start: each.start + 100, end: each.end + 100 }));
    match(text(scheduled(later)), /│A+·+│ {3}25 %$/m);
  });
  it('marks the words of the goal in findings, draws each quote whole behind a bar', () => {
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
    const long = 'The pier broke in the storm of the night before. '.repeat(30).trim();
    const drawn = draw(researched([{ quote: long, title: 'Log', url: '', terms: [] }]));
    strictEqual(drawn.flatMap((line) => / {7}│ (.*)/.exec(line)?.[1] ?? []).join(' '), long);
    match(text(extremes['research-nothing']), /No passage of 0 sources is relevant/);
    match(text(extremes['research-nothing']), /not: storm, harbour, citi/);
  });
});

describe('pictures: the terminal', () => {
  const cases: readonly (readonly [NodeJS.ProcessEnv, NodeJS.Platform, boolean])[] = [
    [{ LANG: 'en_GB.UTF-8' }, 'linux', true],
    [{ LANG: 'de_DE.utf8', LC_ALL: '' }, 'linux', true],
    [{ LANG: 'en_GB.UTF-8', LC_ALL: 'C' }, 'linux', false],
    [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, 'darwin', true],
    [{ LANG: 'en_GB.UTF-8', TERM: 'dumb' }, 'linux', false],
    [{ LANG: 'de_DE.ISO-8859-1' }, 'linux', false],
    [{}, 'linux', false],
    [{}, 'win32', true],
  ];
  for (const [env, platform, expected] of cases)
    it(`${expected ? 'has' : 'lacks'} UTF-8 with ${JSON.stringify(env)} on ${platform}`, () => {
      strictEqual(glyphsFor(env, platform).full === '█', expected);
    });
});

describe('pictures: columns of texts', () => {
  it('are counted as a terminal counts them', () => {
    const widths = ['', 'abc', '日本', '한글', 'e\u0301', '👍', '❤️', 'ｆ', 'naïve', '│░×'].map(columnsOf);
    deepStrictEqual(widths, [0, 3, 4, 4, 1, 2, 2, 2, 5, 3]);
  });
  it('are cut and wrapped without half a character', () => {
    strictEqual(fit('日本語', 5, '…'), '日本…');
    strictEqual(fit('日本語', 6, '…'), '日本語');
    strictEqual(fit('ab👍cd', 4, '…'), 'ab…');
    strictEqual(fit('abcdefgh', 6, '...'), 'abc...');
    deepStrictEqual(wrapTo('one two 日本語日本語 x', 6), ['one', 'two', '日本語', '日本語', 'x']);
  });
  it('lose what steers, hides or piles up', () => {
    strictEqual(clean('a\u001b[2Jb\u009b \u202ec\ufeff\u00add'), 'a<U+001B>[2Jb<U+009B> <U+202E>c<U+FEFF><U+00AD>d');
    strictEqual(clean(' one\r\n\t two\u3000three '), 'one two three');
    strictEqual(clean(`a${'\u0301'.repeat(50)}b`), `a${'\u0301'.repeat(4)}${'<U+0301>'.repeat(46)}b`);
    strictEqual(clean('x\ud800y'), 'x<U+D800>y');
    strictEqual(clean('👩\u200d👧'), '👩\u200d👧');
  });
});

describe('pictures: figures', () => {
  it('are short and keep their size', () => {
    const values = [0, -0, 2.5e9 + 0.5, 1e15, -1e15, 0.1 + 0.2, 123_456.789, 1e-9, -2.5, 999_999_999_999, 1.23456789e20];
    const texts = ['0', '0', '2500000001', '1e15', '-1e15', '0.3', '123457', '1e-9', '-2.5', '999999999999', '1.23457e20'];
    deepStrictEqual(
      values.map((value) => figure(value)),
      texts,
    );
    deepStrictEqual([3, -3, 0].map(signed), ['+3', '-3', '0']);
  });
  it('are shown as shares that never round to none or all', () => {
    const shares = [0, 1, 0.5, 0.0390625, 0.99999, 1.00001, 0.000004, -0.25, 1e9].map(percent);
    deepStrictEqual(shares, ['0 %', '100 %', '50 %', '3.9 %', '99.9 %', '100 %', '0.0004 %', '-25 %', '100000000000 %']);
  });
  it('can be told apart on one scale', () => {
    deepStrictEqual(marks([10, 7.5, 5], 2.5), ['10.0', '7.5', '5.0']);
    deepStrictEqual(marks([1.25, 1, 0.75], 0.25), ['1.25', '1.00', '0.75']);
    deepStrictEqual(marks([1e15 + 4, 1e15], 4), ['1.000000000000004e15', '1.000000000000000e15']);
    deepStrictEqual(
      alike([
        [1, 2],
        [1.2345678, 2],
      ]),
      [
        ['1', '2'],
        ['1.235', '2.000'],
      ],
    );
    deepStrictEqual(alike([[3e9], [3.5e9 + 0.5]]), [['3000000000'], ['3500000001']]);
    deepStrictEqual(alike([[], []]), [[], []]);
  });
});

describe('pictures: tables', () => {
  it('have the cells of a row below one another where only pieces of their words would fit', () => {
    const rows = ['item cost reason', 'reading 64,000', 'café 22,000 over_budget'].map((row) => row.split(' '));
    const lines = (columns: number): string[] => grid(rows, [false, true, false], { ...utf8, columns });
    deepStrictEqual(lines(34), ['    item       cost  reason', '    reading  64,000', '    café     22,000  over_budget']);
    const below = ['    reading', '      cost: 64,000', '    café', '      cost: 22,000', '      reason:', '      over_budget'];
    deepStrictEqual(lines(20), ['    item', ...below]);
  });
});

describe('pictures: axes', () => {
  it('have steps of 1, 2 or 5 times a power of ten', () => {
    deepStrictEqual([1, 1.5, 3, 7, 10, 11, 4e12].map(roundStep), [1, 2, 5, 10, 10, 20, 5e12]);
  });
  it('have at most as many marks as columns, wherever they begin', () => {
    for (const [from, to] of [
      [0, 1],
      [0, 640],
      [9e15, 9e15 + 4],
      [-1e300, 1e300],
      [5, 5],
    ] as const)
      strictEqual(timeMarks(from, to, 80).length <= 81, true);
    deepStrictEqual(membersOf(timeMarks(0, 100, 50), 'label'), ['0', '20', '40', '60', '80', '100']);
  });
  it('leave away a label that has no room', () => {
    const marks = [
      { column: 0, label: 'first' },
      { column: 4, label: 'second' },
      { column: 20, label: 'last' },
    ];
    deepStrictEqual(axisLines(marks, 20, '> ', ascii), ['> +---+---------------+', '> first            last']);
  });
});

describe('pictures: coverage of the goal', () => {
  const counted = (goal: string, terms: string[], uncovered = terms): unknown => askedCoverage({ terms, uncovered }, goal);

  it('does not count words that only a disclaimer holds', () => {
    const goal = 'When does the storm hit? All six towns are constructed for illustration; they describe no real storm.';
    const terms = ['storm', 'hit', '6', 'town', 'construct', 'illustration', 'describ', 'real'];
    deepStrictEqual(counted(goal, terms), { terms: ['storm', 'hit'], uncovered: ['storm', 'hit'] });
    deepStrictEqual(counted(goal, terms, ['hit', 'real']), { terms: ['storm', 'hit'], uncovered: ['hit'] });
  });

  it('does not count the frame of a question', () => {
    const goals = {
      mani: 'How many ships enter?',
      often: 'How often do ships enter?',
      nam: 'What are the names of ships that enter?',
    };
    for (const [term, goal] of Object.entries(goals))
      deepStrictEqual(counted(goal, [term, 'ship', 'enter'], [term]), { terms: ['ship', 'enter'], uncovered: [] }, goal);
  });

  for (const [what, goal] of [
    ['a question about made-up things', 'Which fibres are synthetic?'],
    ['a goal that is a disclaimer alone', 'All towns are constructed for illustration.'],
    ['a goal without one', 'Which towns describe real storms for their visitors. Compare them.'],
  ] as const) {
    it(`counts every word of ${what}`, () => {
      const terms = ['fibr', 'synthet', 'town', 'construct', 'illustration', 'real', 'describ'];
      deepStrictEqual(counted(goal, terms), { terms, uncovered: terms });
    });
  }

  it('ranks findings by score and leaves those without one unchanged', () => {
    const finding = (source_id: string, score: number | null) => ({ source_id, quote: '', start: 0, end: 0, score, terms: [] });
    const order = (...scores: (number | null)[]): string =>
      byRank(scores.map((score, i) => finding(String(i), score)))
        .map(({ source_id }) => source_id)
        .join('');
    strictEqual(order(9, 12, 9, 11), '1302');
    strictEqual(order(null, null, null), '012');
  });
});

describe('pictures: words of the goal', () => {
  const hits = (text: string, ...terms: string[]): string[] =>
    marked(text, terms).flatMap(({ text, hit }) => (hit ? [text] : []));
  it('are found in the forms that share a stem', () => {
    deepStrictEqual(hits('Cities and the city; a citizen.', 'citi'), ['Cities', 'city']);
    deepStrictEqual(hits('Planned plans, planning a plane for planets', 'plan'), ['Planned', 'plans', 'planning', 'plane']);
    deepStrictEqual(hits('lines, a line, linen and a link', 'lin'), ['lines', 'line']);
    deepStrictEqual(hits("The bus's N4, n4 and 14,310 of 14", 'bus', 'n4', '14310'), ["bus's", 'N4', 'n4', '14,310']);
    deepStrictEqual(hits('嵐の後', '嵐'), ['嵐']);
    deepStrictEqual(hits('大桥的开放', '大', '大桥', '的', '开放'), ['大桥', '开放']);
    deepStrictEqual(hits('แซ็กซอนการ์เดน', 'แซก', 'ซกซ', 'กซอ'), ['แซ็กซอ']);
    deepStrictEqual(hits('Мостов много, мосты и мостовая', 'мост'), ['Мостов', 'мосты', 'мостовая']);
    deepStrictEqual(hits('افتُتحت المدارس والمدارس', 'مدارس'), ['المدارس', 'والمدارس']);
    deepStrictEqual(hits('Die Häuser und das Haus', 'haus'), ['Häuser', 'Haus']);
    deepStrictEqual(hits('Die Ha\u0308user', 'haus'), ['Ha\u0308user']);
  });
  it('keep the text unchanged', () => {
    const text = 'A storm – 2 storms.';
    strictEqual(
      marked(text, ['storm'])
        .map(({ text }) => text)
        .join(''),
      text,
    );
    deepStrictEqual(wordsFor(['citi', 'gone'], 'The City'), ['City', 'gone']);
  });
});
