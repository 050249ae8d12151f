/** Runs a candidate on cases in a found engine. */
import { RefusalError } from '../base/refusal.js';
import type { CallResult } from './client.js';
import { type ContainerCalled, runContainer, signal_base } from './container.js';
import type { FoundEngine, SandboxSettings } from './find.js';
import { casesCommand, casesInput, isReady, type Language, outputsOf } from './programs.js';
import { firstLine } from './self-test.js';

/** Wall-clock time of a run: a part for its start, the CPU time for each case, and a maximum, which is below a mission's lease. */
const sandbox_start_ms_max = 15_000;
const sandbox_run_ms_max = 540_000;

export interface CandidateRun {
  readonly language: Language;
  readonly code: string;
  /** The JSON text of the arguments of each case. */
  readonly args: readonly string[];
  /** The wall-clock time of the run; by its cases when absent. */
  readonly ms_max?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The id of the home for which it runs, if any. */
  readonly home?: string | undefined;
}

/** How a run of all cases ended. `exited`: it came to its end; `killed`: from outside; `deadline`: by the wall-clock time. */
export type RunEnd = 'exited' | 'memory_limit' | 'killed' | 'deadline' | 'output_limit' | 'aborted';

export type CandidateRan = Readonly<Awaited<ReturnType<typeof runCandidate>>>;

export const runDeadline = (cases: number, cpu_s: number): number =>
  Math.min(sandbox_run_ms_max, sandbox_start_ms_max + cases * cpu_s * 1_000);

/**
 * Returns the outputs of the cases, how the run ended, and the exit status of the container's program; null when a limit of the host ended
 * it. @throws RefusalError `engine_unavailable` when the engine could not start the container, or did not see it end
 */
export async function runCandidate(
  { clientEnv, cpu_s, mem_mb }: SandboxSettings,
  { engine, image }: FoundEngine,
  { language, code, args, ms_max = runDeadline(args.length, cpu_s), signal, home }: CandidateRun,
) {
  const called = await runContainer({
    engine,
    clientEnv,
    image,
    home,
    cpu_s,
    mem_mb,
    command: casesCommand,
    stdin: casesInput(language, { code, args, cpu_s, mem_mb }),
    ms_max,
    signal,
  });
  refuseFailedEngine(engine.name, called);
  const { status, elapsed_ms } = called;
  return { outputs: outputsOf(called.stdout, args.length), end: endOf(called), status, elapsed_ms };
}

/** The status of an engine's client when the engine itself failed. */
const engine_failed_status = 125;

/** Refuses a run that the engine has not brought to its end. What follows the runner's first frame is the candidate's doing, its messages among it. */
function refuseFailedEngine(name: string, { ended, unstarted, status, stdout, stderr }: CallResult): void {
  const hasBegun = isReady(stdout);
  if (ended !== 'exited' || (hasBegun && status !== null && status !== engine_failed_status)) return;
  const exit = `exit ${status ?? 'by a signal'}`;
  const detail = hasBegun
    ? `${name} did not see the end of the container: ${exit}`
    : `${name} could not start the container: ${unstarted ?? firstLine(stderr) ?? exit}`;
  throw new RefusalError('engine_unavailable', detail, { hint: 'agent-cli doctor' });
}

function endOf({ ended, status, isOutOfMemory }: ContainerCalled): RunEnd {
  if (ended === 'deadline' || ended === 'aborted') return ended;
  if (ended === 'output') return 'output_limit';
  if (isOutOfMemory) return 'memory_limit';
  return (status ?? 0) > signal_base ? 'killed' : 'exited';
}
