/** What the engines are given. */
import type { EngineInput } from '../../src/engines/engine.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import type { ResearchWork } from '../../src/kinds/research/work.js';

const rest = { seed: 42, population: 20, generations: 12, effort: { max_evaluations: 10_000 }, warm_start: null };

export const inputFor = <W>(goal: string, work: W): EngineInput<W> => ({ goal, work, ...rest });

export function forecastInput(work: Partial<ForecastWork> & Pick<ForecastWork, 'observations'>): EngineInput<ForecastWork> {
  const usual = { kind: 'forecast', horizon: 3, holdout: 4, season: 1, levels: [50, 95], unit: 'units' } as const;
  return inputFor('know what comes', { ...usual, start: null, step: null, ...work });
}

export const researchInput = (goal: string, ...texts: readonly string[]): EngineInput<ResearchWork> => {
  const sources = texts.map((text, i) => ({ id: `s${i}`, title: `Source ${i}`, text, url: '' }));
  return inputFor(goal, { kind: 'research', sources });
};
