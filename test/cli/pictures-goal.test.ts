/** Pictures on the terminal: the words of the goal in a text, and the results of the engines. */
import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert';
import { unwrap } from '../../src/base/refusal.js';
import { picture } from '../../src/cli/render.js';
import { decode } from '../../src/codec/kit.js';
import type { Engine } from '../../src/engines/engine.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import { missionRequest } from '../../src/kinds/request.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import { marked, wordsFor } from '../../src/kinds/research/terms.js';
import { scheduleEngine } from '../../src/kinds/schedule/engine/engine.js';
import { glyphsFor, type Screen } from '../../src/pictures/screen.js';

const screen: Screen = { glyphs: glyphsFor({ LC_ALL: 'C.UTF-8' }, 'linux'), paint: (_, text) => text, columns: 99 };

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
