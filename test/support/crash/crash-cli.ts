/** Running commands on a home of a test: cold (a process of its own) or warm (test/support/cli/hosted-commands.ts). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answer, Request } from '../cli/hosted-commands.js';
import { packageRoot } from '../package-root.js';

const root = packageRoot(import.meta.url);
/** The commands load dist/, so what moves their clock has to be of that tree too. */
const support = join(root, 'dist', 'test', 'support');
export const entry = join(root, 'bin', 'agent-cli.js');
export const entryAt = join(support, 'cli', 'cli-at.js');
export const operatorScript = join(support, 'cli', 'hosted-commands.js');

export type Env = Readonly<Record<string, string>>;

/** The test's own environment without what would lead a command to another home. */
export const cleanEnv = (env: Env): Env => ({
  PATH: process.env.PATH ?? '',
  ...Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => /^(NODE_V8_COVERAGE|TMPDIR|LANG)$/.test(pair[0])),
  ),
  // Not there: newer Nodes would keep compiled code in it.
  HOME: `${env.AGENT_HOME ?? ''}-user`,
  // Daemons of other tests have the port of the message bus.
  AGI_INSIGHT_BUS_PORT: '0',
  ...env,
});

export interface Ran extends Answer {
  readonly signal: NodeJS.Signals | null;
}

/** Collects a child's output until it ends. */
export async function collect(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code: code ?? -1, stdout, stderr, signal };
}

/** Settles once a child has said a word on either stream; rejects with all that it said when it ends before. */
export function heard(child: ChildProcess, word: string): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    const hear = (part: string | Buffer): void => {
      text += part.toString();
      if (text.includes(word)) resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear);
    child.once('close', () => reject(new Error(`it ended and never said ${word}: ${text}`)));
  });
}

/** A command in a process of its own, behind another program's command line if one is given. */
export function start(argv: readonly string[], env: Env, offset_ms = 0, behind: readonly string[] = []): ChildProcess {
  const file = offset_ms === 0 ? entry : entryAt;
  const [program = process.execPath, ...args] = [...behind, process.execPath, file, ...argv];
  return spawn(program, args, {
    env: { ...cleanEnv(env), AGENT_TEST_CLOCK_OFFSET_MS: String(offset_ms) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export const cold = (...command: Parameters<typeof start>): Promise<Ran> => collect(start(...command));

/** What a command with `--json` said: its document, or the error's. */
export interface Said {
  readonly code: number;
  /** The document on standard output, or null. */
  readonly value: Record<string, unknown> | null;
  /** The error's code on standard error, or null. */
  readonly refusal: string | null;
  readonly stderr: string;
}

export function said({ code, stdout, stderr }: Answer): Said {
  const value = stdout.trim() === '' ? null : (JSON.parse(stdout) as Record<string, unknown>);
  const line = stderr.split('\n').find((text) => text.startsWith('{'));
  const refusal = line === undefined ? null : String((JSON.parse(line) as Record<string, unknown>).code);
  return { code, value, refusal, stderr };
}

export class Operator {
  private started: ChildProcess | null = null;
  private settle: { readonly answer: (answer: Answer) => void; readonly fail: (error: Error) => void } | null = null;

  /** @param script hosted-commands.js of the build whose commands it runs @param behind another program's command line */
  constructor(
    private readonly script = operatorScript,
    private readonly behind: readonly string[] = [],
  ) {}

  /** The process, which the first command starts: suites make an operator where none of their cases may be asked for. */
  private get child(): ChildProcess {
    if (this.started !== null) return this.started;
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    const [program, ...args] = [...this.behind, process.execPath, this.script];
    const child = spawn(program, args, { stdio: [...stdio], env: cleanEnv({}) });
    child.on('message', (answer) => this.settle?.answer(answer as Answer));
    child.on('exit', () => this.settle?.fail(new Error('the operator ended')));
    this.started = child;
    return child;
  }

  /** One command at a time; `--json` is added. */
  async run(argv: readonly string[], env: Env, offset_ms = 0): Promise<Said> {
    const request: Request = { argv: [...argv, '--json'], env: cleanEnv(env), offset_ms };
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.settle = { answer: resolve, fail: reject };
      this.child.send(request);
    });
    return said(answer);
  }

  stop(): void {
    this.started?.disconnect();
  }

  /** Ends a process that hangs. */
  kill(): void {
    this.started?.kill('SIGKILL');
  }
}
