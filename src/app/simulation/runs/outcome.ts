/** An outcome: its canonical text split into members, and its checks before it is recorded. */
import { canonicalJson } from '../../../base/canonical-json.js';
import { isCanonicalObject } from '../../../base/canonical-scan.js';
import { isRefused } from '../../../base/refusal.js';
import { decode } from '../../../codec/kit.js';
import { outcomeCodec } from '../../../codec/simulation-results.js';
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

/** Returns why the text cannot be recorded as an outcome of the task, or null. @param alive called many times a second */
export function checkOutcome(text: string, { request, islands }: SimulationTask, alive: () => void): string | null {
  if (!isCanonicalObject(text)) return 'the outcome is not canonical JSON';
  alive();
  const outcome = decode(outcomeCodec, JSON.parse(text));
  if (isRefused(outcome)) return outcome.left.detail;
  alive();
  const { request: told, ...claim } = outcome.right;
  if (canonicalJson(told) !== canonicalJson(canonicalRequest(request))) return 'the outcome belongs to another request';
  if (canonicalJson(claim.islands) !== canonicalJson(islands)) return 'the outcome belongs to other islands';
  return outcomeFault({ ...claim, request }, alive);
}
