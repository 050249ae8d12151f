/** The input of an engine and its verifier, from a mission's request. */
import type { Effort, EngineInput } from '../engines/engine.js';
import type { MissionRequest } from './request.js';
import type { Work } from './works.js';

export const engineInput = (
  request: MissionRequest,
  { max_evaluations, iterations_limit }: Effort,
  warm_start: unknown,
): EngineInput<Work> => ({
  goal: request.goal,
  work: request.work,
  seed: request.seed,
  population: request.population,
  generations: request.generations,
  effort: { max_evaluations, ...(iterations_limit === undefined ? {} : { iterations_limit }) },
  warm_start,
});
