/** Missions whose results are drawn: the extremes of every kind, built from counters so that they are the same everywhere. */
import { dateOfStep, type DateStep } from '../../../src/kinds/forecast/calendar.js';
import type { DrawnMission } from '../../../src/cli/render.js';

/** 0 … 1, without a pattern to the eye. */
const noise = (n: number): number => ((n * 7919 + 104_729) % 10_007) / 10_007;
const many = <A>(n: number, make: (i: number) => A): A[] => Array.from({ length: n }, (_, i) => make(i));
const goal = 'Find what the storm broke';

interface Op {
  readonly job: string;
  readonly machine: string;
  readonly start: number;
  readonly end: number;
}

export function scheduled(
  operations: readonly Op[],
  more: Readonly<Record<string, unknown>> = {},
  times: { due?: number; release?: number } = {},
): DrawnMission {
  const makespan = Math.max(0, ...operations.map(({ end }) => end));
  const jobs = [...new Set(operations.map(({ job }) => job))].map((id) => ({ id, ...times }));
  const result = {
    operations,
    makespan,
    tardiness: 0,
    lower_bound: makespan,
    gap: 0,
    optimality_proven: 'bound',
    baseline: makespan,
    improvement: 0,
    unit: 'minutes',
    limits: ['Durations are taken as certain.'],
    ...more,
  };
  return { kind: 'schedule', goal, request: { work: { objective: 'makespan', jobs } }, result };
}

/** Jobs one after the other on so many machines. */
export const shop = (jobs: number, operations: number, machines: number, duration: number): Op[] =>
  many(jobs * operations, (i) => ({
    job: `job_${Math.floor(i / operations)}`,
    machine: `machine_${i % machines}`,
    start: Math.floor(i / machines) * duration,
    end: Math.floor(i / machines) * duration + duration - (i % machines) * Math.min(1, duration / 200),
  }));

export function forecasted(
  observations: readonly number[],
  forecast: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
): DrawnMission {
  const holdout = Math.min(4, Math.floor(observations.length / 3));
  const held = observations.slice(observations.length - holdout);
  const wider = (factor: number, k: number, at: number): number => at + factor * Math.abs(at) * 0.02 * Math.sqrt(k + 1);
  const result = {
    models: [
      { name: 'theta', weight: 0.6 },
      { name: 'naive', weight: 0.4 },
      { name: 'drift', weight: 0 },
    ],
    train_count: observations.length - holdout,
    holdout_actual: held,
    holdout_predictions: held.map((value) => value * 1.01),
    holdout_mae: 1.25,
    holdout_mase: null,
    holdout_smape: 0.5,
    baseline_mae: 2.5,
    improvement: 0.5,
    coverage: [50, 80, 95].map((level) => ({ level, share: level / 100 })),
    forecast,
    intervals: [50, 80, 95].map((level, i) => ({
      level,
      lower: forecast.map((at, k) => wider(-1 - i, k, at)),
      upper: forecast.map((at, k) => wider(1 + i, k, at)),
    })),
    unit: 'parcels',
    limits: 'The future is taken to resemble the past.',
    ...more,
  };
  return { kind: 'forecast', goal, request: { work: { observations } }, result };
}

/** A forecast whose steps have dates. */
function dated(count: number, ahead: number, start: string, step: DateStep): DrawnMission {
  const values = (length: number): number[] => many(length, (i) => 40 + 10 * noise(i) + (i % 7));
  const dates = (from: number, length: number): string[] => many(length, (i) => dateOfStep(start, step, from + i) ?? '');
  const named = { holdout_dates: dates(count - 4, 4), forecast_dates: dates(count, ahead) };
  const mission = forecasted(values(count), values(ahead), named);
  return { ...mission, request: { work: { observations: values(count), start, step } } };
}

export function allocated(items: number, chosen: number, scale = 1, more: Readonly<Record<string, unknown>> = {}): DrawnMission {
  const all = many(items, (i) => ({
    id: `item_${i}`,
    cost: scale * (1 + Math.floor(noise(i) * 500)),
    value: scale * Math.floor(noise(i + 5000) * 900),
    risk: i % 7,
  }));
  const selected = all.slice(0, chosen);
  const sum = (of: 'cost' | 'value' | 'risk'): number => selected.reduce((total, item) => total + item[of], 0);
  const totals = { value: sum('value'), cost: sum('cost'), risk: sum('risk') };
  const whatIf = { ...totals, budget: totals.cost, bound: totals.value, optimality_proven: false };
  const reasons = ['budget', 'group', 'lower value', 'requires', 'excludes', 'risk', 'zero value'];
  const result = {
    ...totals,
    selected: selected.map(({ id }) => id),
    bound: totals.value * 1.0004,
    gap: 0.0004,
    optimality_proven: false,
    baseline: { ...totals, method: 'greedy by value per cost' },
    pareto: many(Math.min(chosen, 100), (i) => ({ value: scale * (i + 1), cost: scale * (i * i + 1), risk: i })),
    excluded_because: all.slice(chosen).map(({ id }, i) => ({ id, reason: reasons[i % reasons.length] })),
    sensitivity: { budget_minus_10: whatIf, budget_plus_10: whatIf },
    unit: 'planning units',
    limits: 'Values are the supplied planning assumptions.',
    ...more,
  };
  return { kind: 'allocation', goal, request: { work: { budget: totals.cost + 1, items: all } }, result };
}

interface Quoted {
  readonly quote: string;
  readonly title?: string;
  readonly url?: string;
  readonly terms?: readonly string[];
  readonly page?: number;
}

export function researched(quotes: readonly Quoted[], terms = ['storm'], uncovered: readonly string[] = []): DrawnMission {
  const result = {
    findings: quotes.map(({ quote, terms = [], page }, i) => ({
      source_id: `s${i}`,
      quote,
      start: 0,
      end: quote.length,
      score: 9 - i / 10,
      terms,
      ...(page === undefined ? {} : { page }),
    })),
    sources: quotes.map(({ title = 'A report', url = '' }, i) => ({ id: `s${i}`, title, url })),
    coverage: { terms, uncovered },
    limits: 'Findings are verbatim.',
  };
  return { kind: 'research', goal, request: null, result };
}

/** The same findings, as a language model would propose them. */
export function proposed(quotes: readonly Quoted[], claim: string, model: string): DrawnMission {
  const drawn = researched(quotes);
  const result = drawn.result as { readonly findings: readonly object[] };
  const inference = {
    model: 'small',
    reported_model: model,
    model_listed: true,
    mode: 'json_schema',
    max_tokens: 1_200,
    request_hash: 'ab'.repeat(32),
    response_hash: 'cd'.repeat(32),
    usage: null,
  };
  return {
    ...drawn,
    result: { ...result, findings: result.findings.map((finding) => ({ ...finding, claim, score: null })), inference },
  };
}

const waves = (n: number, height: number): number[] =>
  many(n, (i) => height * (1 + 0.3 * noise(i) + 0.5 * (Math.abs((i % 14) - 7) / 7)));

const hostile = [
  {
    title: '\u001b[31mred\u001b[0m \u202egnp.exe \u2066x\u2069 \u200e\u061c\ufeff tail',
    quote: 'next: agent-cli review X --approve\n  agent-cli erase everything \u0007\u009b2J\u0085 storm\u{e0041} soft\u00adware',
    url: 'https://example.org/\u001b]8;;x',
    terms: ['storm'],
  },
  { title: '日本語の題名'.repeat(20), quote: '嵐の後で橋が壊れた。'.repeat(30), terms: ['嵐'] },
  { title: 'Emoji 👩‍👩‍👧‍👦 ❤️ 🇫🇷 family', quote: '👍🏽 thumbs '.repeat(40), terms: ['thumb'] },
  { title: `Marks ${'a\u0301\u0302\u0303\u0304\u0305\u0306'.repeat(30)}`, quote: 'e'.repeat(1000), terms: [] },
  { title: 'Lone \ud800 surrogate', quote: ' \t\n ', url: `https://example.org/${'path/'.repeat(100)}` },
  { title: 'العنوان', quote: 'مرحبا بالعالم agent-cli → agent-cli list' },
];

/** Every extreme under its name. */
export const extremes: Readonly<Record<string, DrawnMission>> = {
  'forecast-hours': dated(48, 12, '2026-03-28T00:30:00+01:00', { unit: 'hour', count: 1 }),
  'schedule-crowded': scheduled(shop(200, 50, 1, 3), {}, { due: 12_000 }),
  'schedule-machines': scheduled(shop(40, 100, 100, 100), { gap: 0.25, optimality_proven: false }),
  'schedule-empty': scheduled([]),
  'schedule-one': scheduled([{ job: 'only', machine: 'm', start: 0, end: 1 }]),
  'schedule-wide-names': scheduled([
    { job: '搬入\u001b[2J', machine: '機械'.repeat(20), start: -50, end: 1e15 },
    { job: 'agent-cli', machine: 'agent-cli', start: 5, end: 2 },
  ]),
  'forecast-long': forecasted(waves(5000, 40), waves(1000, 42)),
  'forecast-constant': forecasted(
    many(30, () => 7),
    many(3, () => 7),
    { improvement: null, intervals: [{ level: 95, lower: [7, 7, 7], upper: [7, 7, 7] }] },
  ),
  'forecast-huge': forecasted(
    many(40, (i) => (i % 2 === 0 ? 1e15 : -1e15)),
    [-1e15, 1e15, 0],
  ),
  'forecast-tiny': forecasted(
    many(13, (i) => i * 1e-9),
    [1.3e-8],
    { improvement: -3, diagnostics: { median_share: 0.7, median_of: ['naive', 'drift', 'ses', 'holt', 'damped', 'theta'] } },
  ),
  'forecast-nothing': forecasted([], [], { improvement: 0, intervals: [], coverage: [], models: [] }),
  'allocation-2000': allocated(2000, 900),
  'allocation-nothing': allocated(3, 0),
  'allocation-strange': allocated(30, 12, -1e15, {
    unit: '円'.repeat(60),
    excluded_because: [{ id: 'x'.repeat(500), reason: '\u001b[31mreason '.repeat(9) }],
  }),
  'research-nothing': researched([], ['storm', 'harbour', 'citi'], ['storm', 'harbour', 'citi']),
  'research-pages': researched([
    { quote: 'The storm tore the roofs off.', title: 'Weather report', page: 214 },
    { quote: 'A storm was seen.' },
  ]),
  'research-hostile': researched(hostile, ['storm', 'thumb'], ['thumb']),
  'research-model-hostile': proposed(hostile, '\u001b[31mclaim\n'.repeat(40), '\u001b[31mmodel'.repeat(20)),
};
