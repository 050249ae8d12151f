import { canonicalJson } from '../../base/canonical-json.js';
import { canonicalRequest } from '../../codec/simulation.js';
import type { Individual, SimulationOutcome } from '../../codec/simulation-results.js';

/** Returns the canonical JSON of an outcome, with a heartbeat at each individual. */
export function canonicalOutcome({ population, request, ...rest }: SimulationOutcome, alive: () => void): string {
  const individual = (one: Individual): string => {
    alive();
    return canonicalJson(one);
  };
  const members = Object.entries({ ...rest, request: canonicalRequest(request), population: null })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, value]) =>
        `"${name}":${name === 'population' ? `[${population.map(individual).join(',')}]` : canonicalJson(value)}`,
    );
  return `{${members.join(',')}}`;
}
