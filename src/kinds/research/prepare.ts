/** What a thread does before its first research mission, so that this takes no longer than the next ones. */
import { isRefused, unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { EngineInput } from '../../engines/engine.js';
import { researchEngine } from './engine/engine.js';
import { verifyResearch } from './verify/verify.js';
import { researchWork, type ResearchWork } from './work.js';

const steps = 12;
const verified_every = 4;
const sources_count = 6;
/** How often a source repeats its text: a step takes some 10 ms, in which a task has to wait. */
const repetitions = 10;

const goal = 'When did the first ferries cross the harbour, and how many passengers did they carry?';
const text =
  'The first ferries crossed the harbour in May 1931. Dr. Vega counted 1,200 passengers on the opening day, twice as many as were expected. ' +
  'Most of them lived in the eastern districts (see the report of 1932). Nobody had informed the port’s owners; “it simply happened”, wrote J. Doe. ' +
  'Later the company ran four boats, e.g. for workers, and closed two piers.\n\nA bridge replaced the line in 1957.\n\n';

/** Returns a mission of some 30 kB. */
function mission(): EngineInput<ResearchWork> {
  const sources = Array.from({ length: sources_count }, (_, i) => ({
    id: `s${i}`,
    title: 'ferries',
    text: Array.from({ length: repetitions }, (__, k) => text.replaceAll('ferries', `ferries${i * repetitions + k}`)).join(''),
  }));
  const work = unwrap(decode(researchWork, { kind: 'research', sources }));
  return { goal, work, seed: 1, population: 1, generations: 1, effort: { max_evaluations: 1 }, warm_start: null };
}

/** Executes and verifies a mission. That decodes the tables, and runs often enough for the code to be compiled. Each step is short. */
export function* prepareResearch(): Generator<void> {
  const input = mission();
  for (let step = 0; step < steps; step++) {
    const answer = researchEngine.run(input, () => undefined);
    yield;
    if (step % verified_every !== 0 || isRefused(answer)) continue;
    verifyResearch(input, answer.right.result);
    yield;
  }
}
