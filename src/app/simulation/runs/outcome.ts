/** An outcome: its canonical text split into members, and its checks before it is recorded. */
import { canonicalJson } from '../../../base/canonical-json.js';
import { isCanonicalObject } from '../../../base/canonical-scan.js';
import { isRefused } from '../../../base/refusal.js';
import { decode } from '../../../codec/kit.js';
import { individual, type Individual, outcomeCodec } from '../../../codec/simulation-results.js';
import { canonicalRequest } from '../../../codec/simulation.js';
import { outcomeFault } from '../../../engines/simulation/verify/verify.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';

export interface OutcomeParts {
  readonly engine: string;
  readonly forecast: string;
  /** `hypervolume` and `islands`. */
  readonly found: string;
  /** `"population":[…]`. */
  readonly population: string;
  /** `request` and what follows it. */
  readonly asked: string;
}

/**
 * Returns the members as text; null if the text is not that of an outcome. Members are in the order of their names, and no text before the
 * end of the population comes from a request, so that a mark cannot be forged.
 */
export function outcomeParts(text: string): OutcomeParts | null {
  const marks = [',"forecast":', ',"hypervolume":', ',"population":[', '],"request":'];
  const at: number[] = [];
  for (const mark of marks) {
    const found = text.indexOf(mark, at.at(-1));
    if (found < 0) return null;
    at.push(found);
  }
  const [forecast = 0, hypervolume = 0, population = 0, end = 0] = at;
  return {
    engine: text.slice(1, forecast),
    forecast: text.slice(forecast + 1, hypervolume),
    found: text.slice(hypervolume + 1, population),
    population: text.slice(population + 1, end + 1),
    asked: text.slice(end + 2, -1),
  };
}

export const withoutGenomes = (parts: OutcomeParts): OutcomeParts => ({
  ...parts,
  population: parts.population.replaceAll(/"genome":\[[^\]]*\],/g, ''),
});

/** Yields the text of each individual. */
export function* individualTexts({ population }: OutcomeParts): Generator<string, void, undefined> {
  const end = population.length - 1;
  for (let from = population.indexOf('[') + 1; from < end; ) {
    const brace = population.indexOf('},', from);
    const to = brace < 0 ? end : brace + 1;
    yield population.slice(from, to);
    from = to + 1;
  }
}

/** Returns why the text cannot be recorded as an outcome of the task, or null. @param alive called many times a second */
export function checkOutcome(text: string, { request, islands }: SimulationTask, alive: () => void): string | null {
  const parts = outcomeParts(text);
  if (parts === null) return 'the outcome lacks a member';
  const { engine, forecast, found, asked } = parts;
  const rest = `{${engine},${forecast},${found},"population":[],${asked}}`;
  alive();
  if (!isCanonicalObject(rest)) return 'the outcome is not canonical JSON';
  alive();
  const population: Individual[] = [];
  for (const one of individualTexts(parts)) {
    alive();
    if (!isCanonicalObject(one)) return `individual ${population.length} is not canonical JSON`;
    const decoded = decode(individual, JSON.parse(one));
    if (isRefused(decoded)) return `individual ${population.length}: ${decoded.left.detail}`;
    population.push(decoded.right);
  }
  // All members, with one individual only: the individuals were decoded one by one before.
  const outcome = decode(outcomeCodec, { ...(JSON.parse(rest) as object), population: population.slice(0, 1) });
  if (isRefused(outcome)) return outcome.left.detail;
  alive();
  const { request: told, islands: names, ...claim } = outcome.right;
  if (canonicalJson(told) !== canonicalJson(canonicalRequest(request))) return 'the outcome belongs to another request';
  if (canonicalJson(names) !== canonicalJson(islands)) return 'the outcome belongs to other islands';
  return outcomeFault({ ...claim, islands: names, request, population }, alive);
}
