import { canonicalJson } from '../../../base/canonical-json.js';
import { isCanonicalObject } from '../../../base/canonical-scan.js';
import { isRefused } from '../../../base/result.js';
import { decode } from '../../../codec/kit.js';
import { individual, type Individual, outcomeCodec } from '../../../codec/simulation-results.js';
import { canonicalRequest } from '../../../codec/simulation.js';
import { outcomeFault } from '../../../engines/simulation/verify/verify.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';

/** An outcome: its canonical text split into members, as text or as bytes, and its checks before it is recorded. */

export interface OutcomeParts<T = string> {
  readonly engine: T;
  readonly forecast: T;
  /** `hypervolume` and `islands`. */
  readonly found: T;
  /** `"population":[…]`. */
  readonly population: T;
  /** `request` and what follows it. */
  readonly asked: T;
}

/** The places where the members after `engine` begin, in the text as in its bytes, since all before the last mark is ASCII. */
export type OutcomeMarks = readonly [forecast: number, hypervolume: number, population: number, end: number];

/**
 * Returns where the members are; null if the text is not that of an outcome. Members are in the order of their names, and no text before
 * the end of the population comes from a request, so that a mark cannot be forged.
 */
export function outcomeMarks(text: string): OutcomeMarks | null {
  const marks = [',"forecast":', ',"hypervolume":', ',"population":[', '],"request":'];
  const at: number[] = [];
  for (const mark of marks) {
    const found = text.indexOf(mark, at.at(-1));
    if (found < 0) return null;
    at.push(found);
  }
  const [forecast = 0, hypervolume = 0, population = 0, end = 0] = at;
  return [forecast, hypervolume, population, end];
}

/** Returns the members. @param cut returns the part of the text between two places, of which a negative one counts from the end */
export const partsAt = <T>(
  [forecast, hypervolume, population, end]: OutcomeMarks,
  cut: (from: number, to: number) => T,
): OutcomeParts<T> => ({
  engine: cut(1, forecast),
  forecast: cut(forecast + 1, hypervolume),
  found: cut(hypervolume + 1, population),
  population: cut(population + 1, end + 1),
  asked: cut(end + 2, -1),
});

/** Returns the members as text; null if the text is not that of an outcome. */
export function outcomeParts(text: string): OutcomeParts | null {
  const marks = outcomeMarks(text);
  return marks === null ? null : partsAt(marks, (from, to) => text.slice(from, to));
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

/** An outcome's members as bytes that threads pass on without a copy. */
export type BytesParts = OutcomeParts<Uint8Array<ArrayBuffer>>;

const encoder = new TextEncoder();

/** Returns the members as UTF-8, each in memory of its own. */
export const bytesOf = ({ engine, forecast, found, population, asked }: OutcomeParts): BytesParts => ({
  engine: encoder.encode(engine),
  forecast: encoder.encode(forecast),
  found: encoder.encode(found),
  population: encoder.encode(population),
  asked: encoder.encode(asked),
});

/** Returns the memory of the members, to be handed over with a message. */
export const memoryOf = (parts: BytesParts): ArrayBuffer[] => [
  ...new Set([parts.engine, parts.forecast, parts.found, parts.population, parts.asked].map(({ buffer }) => buffer)),
];

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
