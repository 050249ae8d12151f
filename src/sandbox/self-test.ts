/** Proves that an engine enforces the limits it was given, some of which an engine can ignore without an error. */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { sandbox_files_mb_max, sandbox_open_files_max, sandbox_pids_max, sandbox_uid } from '../base/limits.js';
import { type ContainerRun, runContainer } from './container.js';
import { framesIn, selfTestCommand, selfTestInput } from './programs.js';

/** Wall-clock time of the self-test: some hundred ms, and more on a busy machine. */
const self_test_ms_max = 60_000;
/**
 * CPU time of the self-test in s: all that its wall-clock time allows. To fill memory that the host of a virtual machine has not provided yet
 * can take longer than a candidate may compute.
 */
const self_test_cpu_s = 60;
/** Memory of the self-test in MiB. It must fill all of it, so this does not follow SANDBOX_MEM_MB: an engine that keeps one limit keeps others. */
const self_test_mem_mb = 128;
/** Processes that the self-test tries to begin. */
const self_test_processes_max = 200;

const report = t.type({
  interfaces: t.array(t.string),
  root_read_only: t.boolean,
  writable: t.array(t.string),
  tmp_bytes: t.number,
  /** CPU seconds, open files, bytes of a file. */
  ulimits: t.array(t.number),
  uid: t.number,
  capabilities: t.string,
  no_new_privileges: t.string,
  seccomp: t.string,
  socket: t.number,
  unshare: t.number,
  node: t.boolean,
  processes: t.number,
  hog_signal: t.number,
});
type Report = t.TypeOf<typeof report>;

const sigkill = 9;
const files_bytes_max = sandbox_files_mb_max * 1_048_576;
/** EPERM, the error that the seccomp profile gives for a call that it does not list. */
const refused_call = 1;

type Demand = readonly [failure: string, isMet: (found: Report) => boolean];

const demands: readonly Demand[] = [
  ['it has a network', ({ interfaces }) => interfaces.length === 1 && interfaces[0] === 'lo'],
  ['its root is not read-only', ({ root_read_only }) => root_read_only],
  ['places besides /tmp are writable', ({ writable }) => writable.every((place) => place === '/tmp')],
  ['the size of /tmp is not limited', ({ writable, tmp_bytes }) => writable.length === 0 || tmp_bytes <= files_bytes_max],
  ['it does not run as the ordinary user', ({ uid }) => uid === sandbox_uid],
  ['it has capabilities', ({ capabilities }) => /^0+ 0+$/.test(capabilities)],
  ['it can gain privileges', ({ no_new_privileges }) => no_new_privileges === '1'],
  [
    'the seccomp profile is not in force',
    ({ seccomp, socket, unshare }) => seccomp === '2' && socket === refused_call && unshare === refused_call,
  ],
  [
    'the limits of a process are ignored',
    ({ ulimits }) => ulimits.join() === [self_test_cpu_s, sandbox_open_files_max, files_bytes_max].join(),
  ],
  ['the limit on processes is ignored', ({ processes }) => processes > 0 && processes < sandbox_pids_max],
  ['the memory limit is ignored', ({ hog_signal }) => hog_signal === sigkill],
  ['the image has no /usr/bin/node', ({ node }) => node],
];

type TestRun = Omit<ContainerRun, 'command' | 'stdin' | 'ms_max' | 'cpu_s' | 'mem_mb'>;

/** Returns why the sandbox is not safe or cannot run, or null. Any warning of the engine counts: it may ignore a limit. */
export async function selfTestFailure(run: TestRun): Promise<string | null> {
  const called = await runContainer({
    ...run,
    cpu_s: self_test_cpu_s,
    mem_mb: self_test_mem_mb,
    command: selfTestCommand(self_test_mem_mb, self_test_processes_max),
    stdin: selfTestInput(),
    ms_max: self_test_ms_max,
  });
  const said = firstLine(called.stderr);
  if (called.ended !== 'exited') return `its self-test did not end within ${self_test_ms_max / 1_000} s`;
  if (called.status !== 0) return `its self-test could not run: ${said ?? `exit ${called.status ?? 'by a signal'}`}`;
  if (said !== null) return `it warned: ${said}`;
  const found = reportIn(called.stdout);
  if (found === null) return 'its self-test gave no report';
  return demands.find(([, isMet]) => !isMet(found))?.[0] ?? null;
}

function reportIn(bytes: Buffer): Report | null {
  const [frame] = framesIn(bytes);
  if (frame === undefined) return null;
  try {
    const decoded = report.decode(JSON.parse(frame.toString('utf8')));
    return E.isRight(decoded) ? decoded.right : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const line_chars_max = 300;

/** Returns the first line of a client's messages, or null. */
export function firstLine(stderr: Buffer): string | null {
  const line = stderr
    .toString('utf8')
    .split('\n')
    .map((text) => text.trim())
    .find((text) => text !== '');
  return line === undefined ? null : line.slice(0, line_chars_max).toWellFormed();
}
