/** The checks of an outcome before it is recorded: its text, its shape and its values. */
import { canonicalJson } from '../../base/canonical-json.js';
import { isCanonicalObject } from '../../base/canonical-scan.js';
import { isRefused } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { canonicalRequest } from '../../codec/simulation.js';
import { individual, outcomeCodec, type Individual } from '../../codec/simulation-results.js';
import { outcomeFault } from '../../engines/simulation/verify/verify.js';
import { individualTexts, outcomeParts } from './outcome-parts.js';
import type { SimulationTask } from '../workers/simulation-jobs.js';

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
