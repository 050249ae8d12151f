/** A portfolio: what it holds against budget and risk, why the rest was left out, what another budget would bring. */
import type { AllocationInput, AllocationView } from '../../codec/results.js';
import { columns_max } from '../text.js';
import { clean, fit } from './columns.js';
import { count, figure, percent, signed } from './figures.js';
import { bar, facts, limitsFact, more, proofText, table, type Fact } from './layout.js';
import { paretoSketch } from './pareto.js';
import type { Screen } from './screen.js';

const items_max = 10;
const bar_columns = 24;
const value_bar_columns = 16;
const id_columns = 30;
const ids_max = 12;
const reasons_max = 8;

/** In the words of a reader who does not know the search. */
const reasons: Readonly<Record<string, string>> = {
  'zero value': 'worth nothing',
  requires: 'needs another',
  excludes: 'excluded',
  group: 'group is taken',
  budget: 'over the budget',
  risk: 'over the risk',
  'lower value': 'less value',
};

type Item = AllocationInput['items'][number];

function figuresOf(result: AllocationView, input: AllocationInput | null, screen: Screen): Fact[] {
  const { value, bound, gap, optimality_proven, cost, risk, baseline, unit } = result;
  const against = (part: number, whole: number): string =>
    `${bar(part, whole, bar_columns, screen)} ${figure(part)} of ${figure(whole)}${whole > 0 ? ` (${percent(part / whole)})` : ''}`;
  const limit = input?.max_risk;
  return [
    ['value', figure(value)],
    ['bound', `${figure(bound)}; ${proofText(optimality_proven, gap)}`],
    ['cost', input === null ? figure(cost) : against(cost, input.budget)],
    ['risk', limit === undefined ? `${figure(risk)}${input === null ? '' : ' (no limit given)'}` : against(risk, limit)],
    ['compare', `${baseline.method}: ${figure(baseline.value)} (${signed(baseline.value - value)})`],
    ['unit', unit],
  ];
}

function selectedLines({ selected, value }: AllocationView, input: AllocationInput | null, screen: Screen): string[] {
  const { paint } = screen;
  const title = paint(
    'bold',
    `  selected: ${count(selected.length, 'item')}${input === null ? '' : ` of ${input.items.length}`}`,
  );
  const items = new Map(input?.items.map((item) => [item.id, item]));
  const chosen = selected.map((id) => items.get(id)).filter((item) => item !== undefined);
  if (selected.length === 0) return [title];
  if (chosen.length < selected.length) return [title, ...facts([['items', idsText(selected)]], screen)];
  const ordered = chosen.toSorted((a, b) => b.value - a.value || (a.id < b.id ? -1 : 1));
  const most = ordered[0]?.value ?? 0;
  const row = ({ id, value: worth, cost, risk }: Item): string[] => [
    id,
    bar(worth, most, value_bar_columns, screen),
    figure(worth),
    value > 0 ? percent(worth / value) : '',
    figure(cost),
    figure(risk ?? 0),
  ];
  const lines = table(
    [['item', '', 'value', 'share', 'cost', 'risk'], ...ordered.slice(0, items_max).map(row)],
    id_columns,
    screen,
  );
  const left = ordered.length - items_max;
  return [title, ...lines, ...(left > 0 ? [more(left, left === 1 ? 'item' : 'items', screen)] : [])];
}

function idsText(ids: readonly string[]): string {
  const left = ids.length - ids_max;
  return `${ids.slice(0, ids_max).join(', ')}${left > 0 ? `, and ${left} more` : ''}`;
}

/** One line a reason, the most frequent first. */
function leftOutLines({ excluded_because: all }: AllocationView, { paint, glyphs }: Screen): string[] {
  if (all.length === 0) return [];
  const byReason = new Map<string, string[]>();
  for (const { id, reason } of all) {
    const ids = byReason.get(reason);
    if (ids === undefined) byReason.set(reason, [clean(id)]);
    else ids.push(clean(id));
  }
  const groups = [...byReason].toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)).slice(0, reasons_max);
  const lines = groups.map(([reason, ids]) => {
    const name = fit(clean(Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason), 17, glyphs.more);
    const head = `  ${name.padEnd(17)}  ${String(ids.length).padStart(4)}  `;
    return head + idsFitting(ids, columns_max - head.length, glyphs.more);
  });
  return [paint('bold', `  left out: ${count(all.length, 'item')}, and why`), ...lines];
}

/** As many whole ids as fit on one line. */
function idsFitting(ids: readonly string[], columns: number, mark: string): string {
  const joined = ids.join(', ');
  if (joined.length <= columns) return joined;
  const cut = joined.lastIndexOf(', ', columns - mark.length - 2);
  return cut > 0 ? `${joined.slice(0, cut)}, ${mark}` : fit(joined, columns, mark);
}

function whatIfLines({ value, sensitivity }: AllocationView, screen: Screen): string[] {
  const { budget_minus_10: less, budget_plus_10: extra } = sensitivity;
  const text = (at: typeof less): string =>
    `value ${figure(at.value)} (${signed(at.value - value)}) at cost ${figure(at.cost)} of ${figure(at.budget)}, risk ${figure(at.risk)}`;
  return facts(
    [
      ['budget -10 %', text(less)],
      ['budget +10 %', text(extra)],
    ],
    screen,
  );
}

export function allocationPicture(result: AllocationView, input: AllocationInput | null, screen: Screen): string[] {
  const parts = [
    facts(figuresOf(result, input, screen), screen),
    selectedLines(result, input, screen),
    leftOutLines(result, screen),
    [...whatIfLines(result, screen), ...facts(limitsFact(result.limits), screen)],
    paretoSketch(result, screen),
  ];
  return parts.filter((lines) => lines.length > 0).flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
}
