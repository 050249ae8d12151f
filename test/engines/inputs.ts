/** What the engines are given, and what they make of it. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import type { EngineInput } from '../../src/engines/engine.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import type { ResearchResult } from '../../src/kinds/research/result.js';
import { researchSize } from '../../src/kinds/research/size.js';
import { verifyResearch } from '../../src/kinds/research/verify/verify.js';
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

/** Returns the result of research, which passes its verifier and stays within its size. */
export function researched(mission: EngineInput<ResearchWork>): ResearchResult {
  const { result } = unwrap(researchEngine.run(mission, () => undefined));
  assert.equal(verifyResearch(mission, result).failure, null);
  assert.ok(Buffer.byteLength(canonicalJson(result)) <= researchSize.result(mission.work).bytes);
  return result;
}
