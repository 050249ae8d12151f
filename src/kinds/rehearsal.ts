/** What an idle thread does ahead of its first mission of a kind: it runs a small one until V8 has compiled the engine and the verifier. */
import { isRefused } from '../base/result.js';
import type { Engine, EngineInput, Verify } from '../engines/engine.js';

export interface Rehearsal<Work> {
  readonly goal: string;
  readonly work: Work;
  /** How much each run searches; 1 by default. */
  readonly max_evaluations?: number;
  /** How often the mission is executed. */
  readonly runs: number;
  /** One result in this many, the first, is verified. */
  readonly verified_every: number;
}

/** Executes and verifies the mission. A task that arrives meanwhile waits for one step, which takes some 10 to 50 ms. */
export function* rehearse<Work>(
  engine: Engine<Work, unknown>,
  verify: Verify<Work>,
  rehearsal: Rehearsal<Work>,
): Generator<void> {
  const { goal, work, max_evaluations = 1, runs, verified_every } = rehearsal;
  const effort = { max_evaluations };
  const input: EngineInput<Work> = { goal, work, seed: 1, population: 1, generations: 1, effort, warm_start: null };
  for (let run = 0; run < runs; run++) {
    const answer = engine.run(input, () => undefined);
    yield;
    if (run % verified_every !== 0 || isRefused(answer)) continue;
    verify(input, answer.right.result);
    yield;
  }
}
