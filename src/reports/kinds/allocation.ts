/** The report of an allocation: what is selected and what is left out and why, value against cost, and what another budget would bring. */
import { decimalDifference } from '../../base/decimal.js';
import {
  allocationRequest,
  allocationResult,
  type AllocationInput,
  type AllocationView,
  costUnit,
  reasonTexts,
} from '../../kinds/allocation/view.js';
import { namesOf, viewOf } from '../../kinds/view-fields.js';
import { count, percent } from '../../pictures/screen.js';
import {
  type Chart,
  type Content,
  type Fact,
  leadText,
  numberText,
  perCent,
  type ReportTable,
  type Row,
  textsOf,
} from '../content.js';
import { field, linear, shape, spanOf, ticks, xAxis, yAxis } from '../drawing.js';
import { proofFact } from './shared.js';

interface Choice {
  readonly result: AllocationView;
  readonly input: AllocationInput | null;
}

export function allocationContent(request: unknown, given: unknown): Content | null {
  const result = viewOf(allocationResult, given);
  if (result === null) return null;
  const choice: Choice = { result, input: viewOf(allocationRequest, request)?.work ?? null };
  const { budget, max_risk, items } = choice.input ?? {};
  const within = budget === undefined ? 'within the budget' : `at a cost of at most ${numberText(budget)} ${costUnit(result)}`;
  const risk = max_risk === undefined ? '' : ` and a risk of at most ${numberText(max_risk)}`;
  return {
    question: `Which of ${count(items?.length ?? result.selected.length, 'item')} ${items?.length === 1 ? 'gives' : 'give'} the most value ${within}${risk}?`,
    inputs: [['Unit', result.unit]],
    answer: answerOf(choice),
    figures: figuresOf(choice),
    chart: result.pareto.length > 1 ? paretoChart(choice) : null,
    tables: [selectedTable(choice), leftOutTable(choice), whatIfTable(choice)],
    limits: textsOf(result.limits),
    terms: ['bound', 'gap', 'baseline', ...(result.pareto.length > 1 ? (['Pareto-optimal'] as const) : [])],
  };
}

function answerOf({ result, input }: Choice): string {
  const { selected, value, cost } = result;
  const all = count(input?.items.length ?? selected.length, 'item');
  if (selected.length === 0) return `None of ${all} is selected.`;
  const budget = input?.budget;
  const share = budget === undefined || budget === 0 ? '' : ` (${percent(cost / budget)} of the budget)`;
  return `${input === null ? '' : `${numberText(selected.length)} of `}${all} with a value of ${leadText(value)} at a cost of ${numberText(cost)} ${costUnit(result)}${share}.`;
}

function figuresOf({ result, input }: Choice): Fact[] {
  const { value, cost, risk, bound, gap, optimality_proven, baseline } = result;
  const { budget, max_risk } = input ?? {};
  return [
    ['Value', leadText(value)],
    ['Cost', `${numberText(cost)} ${costUnit(result)}`, budget === undefined ? undefined : `of ${numberText(budget)}`],
    ['Risk', numberText(risk), max_risk === undefined ? 'no limit' : `of ${numberText(max_risk)}`],
    proofFact(optimality_proven, { name: 'Bound', value: bound, gap }),
    [
      'Simple rule (baseline)',
      leadText(baseline.value),
      value > baseline.value ? `this is ${leadText(value - baseline.value)} better` : 'as good as this',
    ],
  ];
}

function selectedTable({ result, input }: Choice): ReportTable {
  const { selected, value } = result;
  const items = new Map(input?.items.map((item) => [item.id, item]));
  const nameOf = namesOf(input?.items);
  const row = (id: string): Row => {
    const item = items.get(id);
    if (item === undefined) return [id, null, null, null, null];
    const share = value > 0 ? perCent(item.value / value) : null;
    return [
      nameOf(id),
      item.value,
      share,
      item.cost,
      item.risk ?? 0,
      ...(hasRequired ? [item.required === true ? 'yes' : ''] : []),
    ];
  };
  const hasRequired = selected.some((id) => items.get(id)?.required === true);
  const ordered = selected.toSorted((a, b) => (items.get(b)?.value ?? 0) - (items.get(a)?.value ?? 0));
  const head = [
    'Item',
    'Value',
    'Share of the value, %',
    `Cost, ${costUnit(result)}`,
    'Risk',
    ...(hasRequired ? ['Must be chosen'] : []),
  ];
  return { title: 'Selected', head, rows: ordered.map(row) };
}

function leftOutTable({ result, input }: Choice): ReportTable {
  const items = new Map(input?.items.map((item) => [item.id, item]));
  const nameOf = namesOf(input?.items);
  const rows = result.excluded_because.map(({ id, reason }) => {
    const item = items.get(id);
    return [nameOf(id), reasonTexts[reason] ?? reason, item?.value ?? null, item?.cost ?? null];
  });
  return { title: 'Left out', head: ['Item', 'Reason', 'Value', `Cost, ${costUnit(result)}`], rows };
}

function whatIfTable({ result }: Choice): ReportTable {
  const { sensitivity, value } = result;
  const { budget_minus_10: less, budget_plus_10: extra } = sensitivity;
  const row = (name: string, at: typeof less): Row =>
    at === null
      ? [`${name}: less than the required items cost`, null, null, null, null, null]
      : [
          at.optimality_proven === false ? `${name}, not proven optimal` : name,
          at.budget,
          at.value,
          decimalDifference(at.value, value),
          at.cost,
          at.risk,
        ];
  return {
    title: 'With another budget',
    head: ['Budget', `Amount, ${costUnit(result)}`, 'Value', 'Change', `Cost, ${costUnit(result)}`, 'Risk'],
    rows: [row('10 % less', less), row('10 % more', extra)],
  };
}

const height = 300;
const bottom = height - 44;

function paretoChart({ result, input }: Choice): Chart {
  const { pareto, value, cost } = result;
  const budget = input?.budget;
  const costs = spanOf([cost, ...pareto.map((each) => each.cost), ...(budget === undefined ? [] : [budget])]);
  const values = spanOf([value, ...pareto.map((each) => each.value)], 0.08);
  const x = linear(costs, [field.left, field.right]);
  const y = linear(values, [bottom, field.top]);
  const marks = ticks(costs, 7).map((each) => [each, numberText(each)] as const);
  const points = pareto.map((each) => shape('circle', { class: 'point', cx: x(each.cost), cy: y(each.value), r: 4 }));
  const limit =
    budget === undefined ? '' : shape('line', { class: 'limit', x1: x(budget), x2: x(budget), y1: field.top, y2: bottom });
  const chosen = shape('circle', { class: 'chosen', cx: x(cost), cy: y(value), r: 6 });
  return {
    title: 'Value against cost',
    alt: `Scatter plot of ${count(pareto.length, 'option')} by cost and value. This selection has value ${numberText(value)} at cost ${numberText(cost)}.`,
    svg: yAxis(y, values, 'Value') + xAxis(x, marks, bottom, `Cost, ${costUnit(result)}`) + limit + points.join('') + chosen,
    height,
    legend: [
      ['chosen', 'this selection'],
      ['point', 'other Pareto-optimal options'],
      ...(budget === undefined ? [] : [['limit', 'budget'] as const]),
    ],
  };
}
