/** The programs that run inside the sandbox. Each enters by standard input: first the program, then its job, each after its length in a line. */
import { readFileSync } from 'node:fs';
import { shippedFile } from './arguments.js';

export type Language = 'python' | 'javascript';

const pythonBootstrap = "import sys;r=sys.stdin.buffer;exec(compile(r.read(int(r.readline())),'runner.py','exec'))";
const nodeBootstrap =
  "const all=require('node:fs').readFileSync(0);let at=0;" +
  "const take=()=>{const e=all.indexOf(10,at),n=Number(all.toString('latin1',at,e));at=e+1+n;return all.toString('utf8',e+1,at)};" +
  "const program=take(),job=JSON.parse(take());new Function('require','job',program)(require,job)";

const pythonCommand = ['/usr/bin/python3', '-I', '-S', '-X', 'utf8', '-c', pythonBootstrap] as const;

export const runners = {
  python: { file: 'runner.py', command: pythonCommand },
  javascript: { file: 'runner.cjs', command: ['/usr/bin/node', '-e', nodeBootstrap] },
} as const;

/** The command of the program that runs the cases, each in a process of its own. */
export const casesCommand = pythonCommand;
export const selfTestCommand = (mem_mb: number, processes: number): readonly string[] => [
  ...pythonCommand,
  `${mem_mb}`,
  `${processes}`,
];

/** A candidate with the JSON texts of its cases' arguments, and the limits on the process of each. */
export interface Job {
  readonly code: string;
  readonly args: readonly string[];
  readonly cpu_s: number;
  readonly mem_mb: number;
}

/** @param command the command of a case's process, by which a test replaces the image's programs */
export const casesInput = (language: Language, job: Job, command: readonly string[] = runners[language].command): Buffer =>
  input('cases.py', { ...job, command, program: readFileSync(shippedFile(runners[language].file), 'utf8') });
export const selfTestInput = (): Buffer => input('self-test.py', {});

function input(file: string, job: unknown): Buffer {
  const parts = [readFileSync(shippedFile(file)), Buffer.from(JSON.stringify(job))];
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(`${part.length}\n`), part]));
}

/** The frames in which a runner answers. The bytes come from untrusted code, so anything that is not a frame ends the reading. */
const length_bytes = 4;

/** Returns the bodies of the whole frames at the beginning of the bytes. */
export function framesIn(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  let at = 0;
  while (at + length_bytes <= bytes.length) {
    const end = at + length_bytes + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    frames.push(bytes.subarray(at + length_bytes, end));
    at = end;
  }
  return frames;
}

/** The first frame, before the first candidate runs. */
const ready = 'ready';

export const isReady = (bytes: Buffer): boolean => framesIn(bytes)[0]?.toString('latin1') === ready;

export interface CaseOutput {
  readonly outcome: 'returned' | 'raised' | 'invalid' | 'too_large' | 'missing';
  readonly text: string;
}

/** Why cases.py says that a case is missing. Other words could be the arguments of a case, from a candidate that reached its output. */
const reasons =
  'it wrote to the channel of the answers|it ended its process before it returned|its process could not be started|stopped after \\d\\d? s of CPU time|' +
  'killed, as when it takes more than \\d{2,4} MiB of memory|ended by signal \\d\\d?';
const head = new RegExp(`^(0|[1-9][0-9]{0,3}) (returned|raised|invalid|too_large|missing(?=\\n(?:${reasons})$))\\n`);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the output of each case, null for one without an answer. The frame `ready` comes before them. The first frame of a case counts. */
export function outputsOf(bytes: Buffer, cases: number): readonly (CaseOutput | null)[] {
  const outputs: (CaseOutput | null)[] = Array.from({ length: cases }, () => null);
  for (const frame of framesIn(bytes).slice(1)) {
    const text = decoded(frame);
    const [all = '', place, outcome] = (text === null ? null : head.exec(text)) ?? [];
    if (text === null || place === undefined) break;
    const at = Number(place);
    if (at < cases) outputs[at] ??= { outcome: outcome as CaseOutput['outcome'], text: text.slice(all.length) };
  }
  return outputs;
}

function decoded(frame: Buffer): string | null {
  try {
    return utf8.decode(frame);
  } catch {
    return null;
  }
}
