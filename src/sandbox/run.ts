/** Runs a candidate on cases in a found engine. */
import { RefusalError } from '../base/result.js';
import type { Called } from './client.js';
import { runContainer } from './container.js';
import type { FoundEngine, SandboxSettings } from './find.js';
import { type CaseOutput, isReady, type Language, outputsOf, runnerCommand, runnerInput } from './programs.js';
import { firstLine } from './self-test.js';

/** Wall-clock time of a run: a part for its start, a part for each case, and a maximum. */
const sandbox_start_ms_max = 15_000;
const sandbox_case_ms_max = 2_000;
const sandbox_run_ms_max = 120_000;

export interface CandidateRun {
  readonly language: Language;
  readonly code: string;
  /** The JSON text of the arguments of each case. */
  readonly args: readonly string[];
  /** The wall-clock time of the run; by the number of its cases when absent. */
  readonly ms_max?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The id of the home for which it runs, if any. */
  readonly home?: string | undefined;
}

/**
 * How a run ended. `killed`: by the memory limit, or by the candidate; `exited`: the candidate ended the process itself, or the runner came
 * to its end.
 */
export type RunEnd = 'exited' | 'cpu_limit' | 'killed' | 'deadline' | 'output_limit' | 'aborted';

export interface CandidateRan {
  readonly outputs: readonly (CaseOutput | null)[];
  readonly end: RunEnd;
  /** The exit status of the container's program; null when a limit of the host ended it. */
  readonly status: number | null;
  readonly elapsed_ms: number;
}

export const runDeadline = (cases: number): number =>
  Math.min(sandbox_run_ms_max, sandbox_start_ms_max + cases * sandbox_case_ms_max);

/** @throws RefusalError `engine_unavailable` when the engine could not start the container */
export async function runCandidate(
  { clientEnv, cpu_s, mem_mb }: SandboxSettings,
  { engine, image }: FoundEngine,
  { language, code, args, ms_max = runDeadline(args.length), signal, home }: CandidateRun,
): Promise<CandidateRan> {
  const called = await runContainer({
    engine,
    clientEnv,
    image,
    home,
    cpu_s,
    mem_mb,
    command: runnerCommand(language),
    stdin: runnerInput(language, { code, args }),
    ms_max,
    signal,
  });
  refuseUnstarted(engine.name, called);
  const { status, elapsed_ms } = called;
  return { outputs: outputsOf(called.stdout, args.length), end: endOf(called), status, elapsed_ms };
}

/** Refuses a container whose runner has not begun: what follows its first frame is the candidate's doing. */
function refuseUnstarted(name: string, { ended, unstarted, status, stdout, stderr }: Called): void {
  if (ended !== 'exited' || isReady(stdout)) return;
  const why = unstarted ?? firstLine(stderr) ?? `exit ${status ?? 'by a signal'}`;
  const detail = `${name} could not start the container: ${why}`;
  throw new RefusalError({ code: 'engine_unavailable', detail, hint: 'agent-cli doctor' });
}

const signal_base = 128;
const sigkill = 9;
const sigxcpu = 24;

function endOf({ ended, status }: Called): RunEnd {
  if (ended === 'deadline' || ended === 'aborted') return ended;
  if (ended === 'output') return 'output_limit';
  if (status === signal_base + sigxcpu) return 'cpu_limit';
  return status === signal_base + sigkill ? 'killed' : 'exited';
}
