/** The search of a mission as a job: what its engine reads, and nothing else of the mission. The output is what the engine returned. */
import * as t from 'io-ts';
import { utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { isRefused, type Refusal } from '../../base/refusal.js';
import { canonicalOf } from '../../codec/canonical.js';
import { decodeJson } from '../../codec/decode-json.js';
import { engineId } from '../../codec/events/mission.js';
import { choice, integer, mapOf, nullable, number, object, optional, required } from '../../codec/kit.js';
import type { Answer, Checkpoint, EngineInput } from '../../engines/engine.js';
import type { Solver } from '../../kinds/kind.js';
import { workCodec } from '../../kinds/request.js';
import { solverOf } from '../../kinds/verifiers.js';
import type { Work } from '../../kinds/works.js';

const whole = integer(0, Number.MAX_SAFE_INTEGER);

const missionJob = object('MissionJob', {
  engine: required(engineId),
  work: required(workCodec),
  seed: required(whole),
  population: required(whole),
  generations: required(whole),
  max_evaluations: required(whole),
  /** The iterations after which another worker's search was ended by its time. */
  iterations_limit: optional(whole),
  /** How long the search may take before it ends with the best that it has; absent for one without a clock. */
  search_ms: optional(whole),
  warm_start: required(t.unknown),
});

type Solving = Solver<Work>['engine'];

/** Returns the engine of a kind of work that workers compute, or null. */
function engineOf({ kind }: Pick<Work, 'kind'>): Solving | null {
  const solver = solverOf(kind);
  return solver === null || solver.isRecomputed ? null : solver.engine;
}

/** Returns the input of a mission's job. @param search_ms how long it may take before it ends with the best that it has @throws TypeError for work that no engine computes */
export function writeMissionJob({ work, effort, ...input }: EngineInput<Work>, search_ms?: number): Uint8Array {
  const engine = engineOf(work);
  if (engine === null) throw new TypeError(`${work.kind} missions are not computed on other machines`);
  const { seed, population, generations, warm_start } = input;
  const { name, version } = engine;
  const { max_evaluations, iterations_limit } = effort;
  const bound = {
    ...(iterations_limit === undefined ? {} : { iterations_limit }),
    ...(search_ms === undefined ? {} : { search_ms }),
  };
  const sent = { work, seed, population, generations, max_evaluations, ...bound, warm_start };
  return utf8(canonicalJson(canonicalOf(missionJob, { engine: { name, version }, ...sent })));
}

interface MissionJob {
  readonly engine: Solving;
  readonly input: EngineInput<Work>;
  readonly search_ms?: number | undefined;
}

/** Returns the mission that a job's input describes, or null for an input that describes none which this program's engines compute. */
export function readMissionJob(bytes: Uint8Array): MissionJob | null {
  const decoded = decodeJson(missionJob, bytes);
  if (isRefused(decoded)) return null;
  const { engine: wanted, max_evaluations, iterations_limit, search_ms, ...input } = decoded.right;
  const engine = engineOf(input.work);
  if (engine === null || engine.name !== wanted.name || engine.version !== wanted.version) return null;
  return { engine, input: { ...input, goal: '', effort: { max_evaluations, iterations_limit } }, search_ms };
}

/** Returns the output of a mission's job. */
export async function computeMission(
  { engine, input, search_ms = Infinity }: MissionJob,
  checkpoint: Checkpoint,
): Promise<Uint8Array<ArrayBuffer>> {
  const solver = await engine.load();
  const began = performance.now();
  const outcome = solver.run(input, (done) => {
    checkpoint(done);
    return performance.now() - began > search_ms;
  });
  const output = isRefused(outcome) ? refusedOutput(outcome.left) : answeredOutput(outcome.right);
  return new Uint8Array(output);
}

export const answeredOutput = ({ result, iterations, iterations_limit, solution }: Answer<unknown>): Buffer =>
  utf8(
    canonicalJson({
      type: 'answered',
      result,
      iterations,
      ...(iterations_limit === undefined ? {} : { iterations_limit }),
      solution,
    }),
  );

export const refusedOutput = ({ code, detail }: Refusal): Buffer => utf8(canonicalJson({ type: 'refused', code, detail }));

const answered = object('MissionOutput', {
  type: required(choice('answered')),
  result: required(mapOf(t.unknown)),
  iterations: required(nullable(number(0, Number.MAX_SAFE_INTEGER))),
  /** There where time ended the search. */
  iterations_limit: optional(whole),
  solution: required(t.unknown),
});

/** Returns the answer that an output holds, or null for bytes that hold none. */
export function readAnswer(output: Uint8Array): Answer<unknown> | null {
  const decoded = decodeJson(answered, output);
  return isRefused(decoded) ? null : decoded.right;
}
