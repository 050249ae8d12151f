/**
 * Whether the probabilities of disruption from a run's own 64 draws are those of 20 000 other draws: 200 generated scenarios, each sector and year.
 * The standard error is that of a share of 64, after Agresti and Coull 1998 (four draws more, two of them disrupted), so that it is not zero at a share of 0 or 1.
 */
import { prng } from '../src/base/prng.js';
import { unwrap } from '../src/base/refusal.js';
import { decode } from '../src/codec/kit.js';
import { settled, simulationInput } from '../src/codec/simulation.js';
import { disruptionOf } from '../src/engines/simulation/outcome.js';
import { drawnCapabilities, risk_draws } from '../src/engines/simulation/draws.js';
import { baselineOf } from '../src/engines/simulation/engine.js';

export const name = 'simulation-draws';

const scenarios = 200;
const other_draws = 20_000;
const curves = ['logistic', 'linear', 'exponential'] as const;

export function run(print: (line: string) => void): Promise<void> {
  let [compared, beyondThree, beyondFive, largest] = [0, 0, 0, 0];
  for (let number = 0; number < scenarios; number++) {
    const document = documentOf(number);
    const [own, other] = [risk_draws, other_draws].map((draws) =>
      probabilities(document, number + (draws === other_draws ? 1_000_000 : 0), draws),
    );
    for (const [i, years] of (own ?? []).entries())
      for (const [y, share] of years.entries()) {
        const middle = (risk_draws * share + 2) / (risk_draws + 4);
        const error = Math.sqrt((middle * (1 - middle)) / (risk_draws + 4));
        const distance = Math.abs(share - (other?.[i]?.[y] ?? Number.NaN)) / error;
        compared++;
        if (distance > 3) beyondThree++;
        if (distance > 5) beyondFive++;
        largest = Math.max(largest, distance);
      }
  }
  const percent = ((100 * beyondThree) / compared).toFixed(2);
  print(`${compared} probabilities of ${scenarios} scenarios, ${risk_draws} draws against ${other_draws}:`);
  print(
    `${percent} % differ by more than three standard errors (1 % at most), ${beyondFive} by more than five (none); largest ${largest.toFixed(2)}`,
  );
  return Promise.resolve();
}

const probabilities = (document: unknown, seed: number, draws: number): readonly (readonly number[])[] => {
  const { scenario, paths } = baselineOf(settled(unwrap(decode(simulationInput, document)), seed));
  return disruptionOf(scenario, paths, drawnCapabilities(scenario, draws), draws, () => undefined).probability;
};

/** A scenario whose sectors are near to their disruption. */
function documentOf(number: number): unknown {
  const random = prng(number, 99);
  const between = (low: number, high: number): number => low + (high - low) * random.unit();
  return {
    horizon: 3 + Math.floor(between(0, 20)),
    curve: curves[number % curves.length],
    x0: number % 2 === 0 ? between(0, 0.7) : null,
    spread: between(0.3, 2),
    sectors: Array.from({ length: 2 + Math.floor(between(0, 10)) }, (_, i) => ({
      name: `sector ${i}`,
      energy: between(0.3, 1.5),
      entropy: between(0.5, 3),
      growth: between(-0.1, 0.1),
    })),
  };
}
