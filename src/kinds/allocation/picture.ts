/** Draws a portfolio: its use of budget and risk, the reasons why items were left out, and the effect of another budget. */
import { allocationRequest, allocationResult, type AllocationInput, type AllocationView } from './view.js';
import { clean, columnsOf, fit, padEnd, wrapTo } from '../../pictures/columns.js';
import { count, figure, percent, signed } from '../../pictures/figures.js';
import { apart, bar, facts, heading, limitsFact, proofFact, table, type Fact } from '../../pictures/layout.js';
import type { Screen } from '../../pictures/screen.js';
import { namesOf, viewOf } from '../view-fields.js';
import type { Picture } from '../../pictures/picture.js';
import { axisLines } from '../../pictures/axis.js';
import { Chart, scaleOf, valueLabels } from '../../pictures/chart.js';

// Sketches value against cost of the Pareto-optimal choices.

const rows = 6;
const columns_max = 60;

/** Draws the sketch; empty for a single point. */
function paretoSketch({ pareto, cost, value }: AllocationView, screen: Screen): string[] {
  if (pareto.length < 2) return [];
  const { glyphs } = screen;
  const [least, most] = scaleOf([cost, ...pareto.map((point) => point.cost)]);
  const scale = scaleOf([value, ...pareto.map((point) => point.value)]);
  const labels = valueLabels(scale, rows).map((label) => `  ${label}`);
  const left = ' '.repeat((labels[0] ?? '').length + 1);
  const columns = Math.min(columns_max, screen.columns - left.length - 1);
  const chart = new Chart(columns, rows, scale, screen);
  const column = (at: number): number => Math.round(((at - least) / (most - least)) * (columns - 1));
  for (const point of pareto) chart.canvas.put(column(point.cost), chart.row(point.value), glyphs.point, 'blue');
  chart.canvas.put(column(cost), chart.row(value), glyphs.chosen, 'green');
  const marks = [
    { column: 0, label: figure(least) },
    { column: columns, label: figure(most) },
  ];
  return [
    heading(`value by cost: ${glyphs.chosen} this choice, ${glyphs.point} other choices on the Pareto front`, screen),
    ...chart.lines(labels),
    ...axisLines(marks, columns, left, screen),
  ];
}

const bar_columns = 24;
const value_bar_columns = 16;
const id_columns = 30;
const reason_columns = 17;

/** The reasons in plain words. */
const reasons = new Map([
  ['impossible', 'cannot be chosen'],
  ['zero value', 'worth nothing'],
  ['requires', 'needs another'],
  ['excludes', 'excluded'],
  ['group', 'group is taken'],
  ['budget', 'over the budget'],
  ['risk', 'over the risk'],
  ['lower value', 'less value'],
]);

const change = (by: number): string => (by === 0 ? 'the same' : signed(by));

type Item = AllocationInput['items'][number];

function factsOf(result: AllocationView, input: AllocationInput | null, screen: Screen): Fact[] {
  const { value, bound, gap, optimality_proven, cost, risk, baseline, unit } = result;
  const against = (part: number, whole: number): string =>
    `${bar(part, whole, bar_columns, screen)} ${figure(part)} of ${figure(whole)}${whole > 0 ? ` (${percent(part / whole)})` : ''}`;
  const limit = input?.max_risk;
  return [
    ['value', figure(value)],
    proofFact(optimality_proven, 'bound', figure(bound), gap),
    ['cost', input === null ? figure(cost) : against(cost, input.budget)],
    ['risk', limit === undefined ? `${figure(risk)}${input === null ? '' : ' (no limit given)'}` : against(risk, limit)],
    ['compare', `${baseline.method}: ${figure(baseline.value)} (${change(baseline.value - value)})`],
    ['unit of cost', unit],
  ];
}

function selectedLines({ selected, value }: AllocationView, input: AllocationInput | null, screen: Screen): string[] {
  const of = input === null ? '' : ` of ${input.items.length}`;
  const title = heading(`selected: ${count(selected.length, 'item')}${of}`, screen);
  if (selected.length === 0) return [title];
  const items = new Map(input?.items.map((item) => [item.id, item]));
  const chosen = selected.map((id) => items.get(id)).filter((item) => item !== undefined);
  if (chosen.length < selected.length) return [title, ...facts([['items', selected.join(', ')]], screen)];
  const ordered = chosen.toSorted((a, b) => b.value - a.value || (a.id < b.id ? -1 : 1));
  const most = ordered[0]?.value ?? 0;
  const nameOf = namesOf(input?.items);
  const row = ({ id, value: worth, cost, risk }: Item): string[] => [
    nameOf(id),
    bar(worth, most, value_bar_columns, screen),
    figure(worth),
    value > 0 ? percent(worth / value) : '',
    figure(cost),
    figure(risk ?? 0),
  ];
  return [title, ...table([['item', '', 'value', 'share', 'cost', 'risk'], ...ordered.map(row)], id_columns, screen)];
}

/** Returns the items by the reason that left them out, the most frequent first. */
function leftOutLines({ excluded_because: all }: AllocationView, input: AllocationInput | null, screen: Screen): string[] {
  if (all.length === 0) return [];
  const nameOf = namesOf(input?.items);
  const byReason = new Map<string, string[]>();
  for (const { id, reason } of all) {
    const names = byReason.get(reason);
    if (names === undefined) byReason.set(reason, [clean(nameOf(id))]);
    else names.push(clean(nameOf(id)));
  }
  const groups = [...byReason].toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  return [
    heading(`left out: ${count(all.length, 'item')}, and why`, screen),
    ...groups.flatMap(([reason, ids]) => reasonLines(reasons.get(reason) ?? reason, ids, screen)),
  ];
}

function reasonLines(reason: string, ids: readonly string[], { glyphs, columns }: Screen): string[] {
  const name = padEnd(fit(clean(reason), reason_columns, glyphs.more), reason_columns);
  const head = `    ${name}  ${String(ids.length).padStart(4)}  `;
  return wrapTo(ids.join(', '), columns - columnsOf(head)).map(
    (line, i) => (i === 0 ? head : ' '.repeat(columnsOf(head))) + line,
  );
}

function whatIfLines({ value, sensitivity }: AllocationView, screen: Screen): string[] {
  const { budget_minus_10: less, budget_plus_10: extra } = sensitivity;
  const text = (at: typeof less): string =>
    at === null
      ? 'less than the required items cost'
      : `value ${figure(at.value)} (${change(at.value - value)}) at cost ${figure(at.cost)} of ${figure(at.budget)}, risk ${figure(at.risk)}`;
  return facts(
    [
      ['budget -10 %', text(less)],
      ['budget +10 %', text(extra)],
    ],
    screen,
  );
}

function drawAllocation(result: AllocationView, input: AllocationInput | null, screen: Screen): string[] {
  return apart([
    facts(factsOf(result, input, screen), screen),
    selectedLines(result, input, screen),
    leftOutLines(result, input, screen),
    paretoSketch(result, screen),
    [...whatIfLines(result, screen), ...facts(limitsFact(result.limits), screen)],
  ]);
}

export const allocationPicture: Picture = ({ request, result }, screen) => {
  const view = viewOf(allocationResult, result);
  return view && drawAllocation(view, viewOf(allocationRequest, request)?.work ?? null, screen);
};
