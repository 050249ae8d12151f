/** What the pictures are made of, and that the engines' own results are drawn. */
import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert';
import { unwrap } from '../../src/base/result.js';
import { decode } from '../../src/codec/kit.js';
import { missionRequest } from '../../src/kinds/request.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import type { Engine } from '../../src/engines/engine.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import { scheduleEngine } from '../../src/kinds/schedule/engine/engine.js';
import { axisLines, roundStep, timeMarks } from '../../src/pictures/axis.js';
import { clean, columnsOf, fit, paragraph, wrapTo } from '../../src/pictures/columns.js';
import { alike, figure, marks, percent, signed } from '../../src/pictures/figures.js';
import { picture } from '../../src/cli/pictures/picture.js';
import { proofFact } from '../../src/pictures/layout.js';
import { glyphsFor } from '../../src/pictures/screen.js';
import { marked, wordsFor } from '../../src/kinds/research/terms.js';
import { askedCoverage, byRank } from '../../src/kinds/research/view.js';

const screen = { glyphs: glyphsFor({ LANG: 'C' }, 'linux'), paint: (_: unknown, text: string) => text, columns: 99 };

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
    deepStrictEqual(paragraph('one two three four', 7, 2, '…'), ['one two', 'three…']);
  });
  it('lose what steers, hides or piles up', () => {
    strictEqual(clean('a\u001b[2Jb\u0007\u009b \u202ec\u200e\ufeff\u00add'), 'a\ufffd[2Jb\ufffd\ufffd \ufffdcd');
    strictEqual(clean(' one\r\n\t two\u3000three '), 'one two three');
    strictEqual(clean(`a${'\u0301'.repeat(50)}b`), 'a\u0301\u0301\u0301b');
    strictEqual(clean('x\ud800y'), 'x\ufffdy');
    strictEqual(clean('👩\u200d👧'), '👩\u200d👧');
  });
});

describe('pictures: figures', () => {
  it('are short and keep their size', () => {
    const values = [0, -0, 419_000, 1e15, -1e15, 0.1 + 0.2, 123_456.789, 1e-9, -2.5, 999_999_999_999, 1.23456789e20];
    const texts = ['0', '0', '419000', '1e15', '-1e15', '0.3', '123457', '1e-9', '-2.5', '999999999999', '1.23457e20'];
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
    deepStrictEqual(alike([[], []]), [[], []]);
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
    deepStrictEqual(
      timeMarks(0, 100, 50).map(({ label }) => label),
      ['0', '20', '40', '60', '80', '100'],
    );
  });
  it('leave away a label that has no room', () => {
    const marks = [
      { column: 0, label: 'first' },
      { column: 4, label: 'second' },
      { column: 20, label: 'last' },
    ];
    deepStrictEqual(axisLines(marks, 20, '> ', screen), ['> +---+---------------+', '> first            last']);
  });
});

describe('pictures: coverage of the goal', () => {
  const has = (text: string, term: string): boolean => marked(text, [term]).some(({ hit }) => hit);
  const counted = (goal: string, terms: string[], uncovered = terms): unknown => askedCoverage({ terms, uncovered }, goal, has);

  it('does not count words that only a disclaimer holds', () => {
    const goal = 'When does the storm hit? All six towns are constructed for illustration; they describe no real storm.';
    const terms = ['storm', 'hit', '6', 'town', 'construct', 'illustration', 'describ', 'real'];
    deepStrictEqual(counted(goal, terms), { terms: ['storm', 'hit'], uncovered: ['storm', 'hit'] });
    deepStrictEqual(counted(goal, terms, ['hit', 'real']), { terms: ['storm', 'hit'], uncovered: ['hit'] });
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

describe('pictures: an optimum that is proven', () => {
  it('is shown without a bound beside it', () => {
    deepStrictEqual(proofFact('bound', 'bound', '420', 0), ['optimality', 'optimal (proven), gap 0: the bound is reached']);
    match(
      proofFact('search', 'bound', '420', 0.024)[1],
      /^optimal \(proven\), gap 0: an exact search ended; --recompute repeats it$/,
    );
    deepStrictEqual(proofFact(false, 'bound', '420', 0.024), ['bound', '420, not proven optimal; gap 2.4 %']);
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

describe('pictures: the results of the engines', () => {
  const goal = 'Compare the storm costs of the city';
  const text = 'The storm cost the city 96 euros. Repairs cost 12 euros.';
  const observations = Array.from({ length: 24 }, (_, i) => 10 + (i % 4) + i / 10);
  const job = (id: string): unknown => ({
    id,
    due: 3,
    operations: [
      { machine: 'm', duration: 2 },
      { machine: 'n', duration: 3 },
    ],
  });
  const items = ['a', 'b', 'c'].map((id, i) => ({ id, cost: i + 1, value: 2 * i + 1 }));
  const works: readonly (readonly [unknown, object])[] = [
    [{ kind: 'research', sources: [{ id: 's', title: 'T', text }] }, researchEngine],
    [{ kind: 'allocation', items, budget: 4 }, allocationEngine],
    [{ kind: 'schedule', jobs: [job('a'), job('b')], objective: 'weighted_tardiness' }, scheduleEngine],
    [{ kind: 'forecast', observations }, forecastEngine],
  ];
  for (const [work, engine] of works) {
    const request = unwrap(decode(missionRequest, { goal, work }));
    it(request.work.kind, () => {
      const input = { ...request, effort: { max_evaluations: 10 }, warm_start: null };
      const { result } = unwrap((engine as Engine<unknown, unknown>).run(input, () => undefined));
      const lines = picture({ kind: request.work.kind, goal, request, result }, screen);
      notStrictEqual(lines, null);
      strictEqual((lines ?? []).length > 5, true);
    });
  }
});
