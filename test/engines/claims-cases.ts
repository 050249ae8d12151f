/** Missions of the kinds whose verifiers check claims. */
import type { EngineInput } from '../../src/engines/engine.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import type { ResearchWork } from '../../src/kinds/research/work.js';

const rest = { seed: 42, population: 20, generations: 12, effort: { max_evaluations: 10_000 }, warm_start: null };

export function forecastInput(work: Partial<ForecastWork> & Pick<ForecastWork, 'observations'>): EngineInput<ForecastWork> {
  const usual = { kind: 'forecast', horizon: 3, holdout: 4, season: 1, levels: [50, 95], unit: 'units' } as const;
  return { goal: 'know what comes', work: { ...usual, start: null, step: null, ...work }, ...rest };
}

export const researchInput = (goal: string, ...texts: readonly string[]): EngineInput<ResearchWork> => ({
  goal,
  work: { kind: 'research', sources: texts.map((text, i) => ({ id: `s${i}`, title: `Source ${i}`, text, url: '' })) },
  ...rest,
});
