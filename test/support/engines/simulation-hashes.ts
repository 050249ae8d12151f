/** Outcome hashes of fixed simulation requests, for the golden file. It loads no native package. */
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/hash.js';
import { simulationEngine } from '../../../src/engines/simulation/outcome.js';
import { run } from '../app/simulation.js';

const economy = ['mining', 'farming', 'retail', 'care', 'energy', 'code', 'freight', 'law'].map((name, i) => ({
  name,
  energy: 0.6 + i / 10,
  entropy: 1 + ((i * 5) % 7) / 3,
  growth: -0.05 + i / 50,
}));

const cases: Readonly<Record<string, readonly [object, readonly string[]]>> = {
  'simulation/default': [{}, ['main']],
  'simulation/exponential': [
    { curve: 'exponential', k: 4, x0: 0.1, horizon: 25, samples: 200, pop_size: 60, generations: 40, sectors: economy },
    ['main'],
  ],
  'simulation/islands': [
    { curve: 'linear', entropy: 2.5, horizon: 10, pop_size: 50, generations: 23, mut_rate: 0.3, xover_rate: 0.9, samples: 20 },
    ['east', 'north', 'west'],
  ],
};

/** Case to `simulation <version> <outcome_hash>`. */
export const simulationHashes = (isAsked: (name: string) => boolean): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(cases)
      .filter(([name]) => isAsked(name))
      .map(([name, [document, islands]]) => [
        name,
        `${simulationEngine.name} ${simulationEngine.version} ${sha256Hex(canonicalJson(run(document, islands)))}`,
      ]),
  );
