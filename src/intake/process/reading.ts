/** Reads files in a process of their own, whose time and memory are bounded: what somebody sent can neither end nor stall the program. */
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { Fault, RefusalError } from '../../base/refusal.js';
import { threadScript } from '../../base/thread-script.js';
import type { Kind } from '../../codec/kinds.js';
import { callClient, type CallResult } from '../../sandbox/client.js';
import type { FileComparison, RecordedMission } from '../compare/types.js';
import { invalidFile } from '../members.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import type { InputFile, Outcome } from '../types.js';
import { memory_mark, type ReadingLimits, type ReadingRequest } from './request.js';

export const input_file_bytes_max = 50_000_000;
/** All files of one draft. */
const input_bytes_max = 200_000_000;
const output_bytes_max = 100_000_000;

export const reading_limits: ReadingLimits = { ms_max: 60_000, resident_bytes_max: 600_000_000 };

/**
 * V8 ends a process whose heap is full with an abort, of which a system may keep an image on the disk; at this size the limit of the memory has
 * ended it before.
 */
const heap_mb_max = 1_024;

interface ReadingCall extends ReadingLimits {
  /** Ends the reading. */
  readonly signal?: AbortSignal;
}

/** Returns what the files say. @throws RefusalError `interrupted` when `signal` ended the reading */
export const readInProcess = async (
  kind: Kind,
  files: readonly InputFile[],
  options: IntakeOptions,
  call: ReadingCall = reading_limits,
): Promise<Outcome> => answerTo<Outcome>({ kind, files, options }, call);

/**
 * Reads the files of a mission again and compares them with what it says.
 * @throws RefusalError `invalid` for files that are too large, or take too much time or memory
 */
export async function compareInProcess(
  recorded: RecordedMission,
  files: readonly InputFile[],
): Promise<readonly FileComparison[]> {
  const asked = { kind: recorded.request.work.kind, files, options: {}, recorded };
  const answer = await answerTo<readonly FileComparison[]>(asked, reading_limits);
  if (!('outcome' in answer)) return answer;
  const { file, message } = answer.errors[0] ?? { file: '', message: '' };
  throw new RefusalError('invalid', file === '' ? message : `${file}: ${message}`);
}

type Invalid = ReturnType<typeof invalidFile>;

/** Returns the answer of the process, or why there is none. */
async function answerTo<A>(asked: Omit<ReadingRequest, 'limits'>, { signal, ...limits }: ReadingCall): Promise<A | Invalid> {
  const refused = sizeFault(asked.files);
  if (refused !== null) return refused;
  const script = fileURLToPath(threadScript(new URL('./read-worker.js', import.meta.url)));
  const called = await callClient({
    command: process.execPath,
    args: [`--max-old-space-size=${heap_mb_max}`, script],
    env: environment(),
    stdin: serialize({ ...asked, limits } satisfies ReadingRequest),
    ms_max: limits.ms_max,
    bytes_max: output_bytes_max,
    signal,
  });
  return answerOf<A>(called, asked.files, limits);
}

/** Windows starts no program without this one. */
const environment = (): Record<string, string> => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

function sizeFault(files: readonly InputFile[]): Invalid | null {
  const large = files.find(({ bytes }) => bytes.length > input_file_bytes_max);
  if (large !== undefined) return invalidFile(large.name, `the file is too large: at most ${megabytes(input_file_bytes_max)}`);
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total <= input_bytes_max) return null;
  return invalidFile('', `the files are too large together: at most ${megabytes(input_bytes_max)}`);
}

function answerOf<A>(
  { ended, status, unstarted, stdout, stderr }: CallResult,
  files: readonly InputFile[],
  limits: ReadingLimits,
): A | Invalid {
  if (ended === 'aborted') throw new RefusalError('interrupted', 'the reading of the files was stopped');
  if (unstarted !== null) throw new Fault(`the process that reads files could not be started: ${unstarted}`);
  if (ended === 'exited' && status === 0) return JSON.parse(stdout.toString('utf8')) as A;
  const named = files.map(({ name }) => name).join(', ');
  const reading = files.length === 1 ? 'reading the file' : 'reading the files';
  if (ended === 'deadline') return invalidFile(named, `${reading} took more than ${Math.round(limits.ms_max / 1_000)} s`);
  if (ended === 'output') return invalidFile(named, `${reading} gave more than ${megabytes(output_bytes_max)}`);
  const said = stderr.toString('utf8');
  // Without a mark the system or V8 ended the process, because it took too much memory.
  if (said.includes(memory_mark) || status === null)
    return invalidFile(named, `${reading} took more than ${megabytes(limits.resident_bytes_max)} of memory`);
  throw new Fault(`the process that reads files failed (status ${status})`, new Error(said.trim().slice(-2_000)));
}
