/** Running the built command line as a process of its own, in a scratch directory with its own home and witness. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandHost, type CommandHost } from './command-host.js';
import { packageRoot } from '../package-root.js';
import { quoted, typed_ahead } from './typed-ahead.js';
import { hang_ms } from '../wait.js';

export const root = packageRoot(import.meta.url);
export const program = join(root, 'bin', 'agent-cli.js');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Env = Readonly<Record<string, string>>;

export interface Scratch {
  readonly directory: string;
  /** HOME, AGENT_HOME and AGENT_WITNESS within the directory, PATH, and no message bus: daemons of other tests have its port. */
  readonly env: Env;
  readonly run: (...args: readonly string[]) => Ran;
  /** Runs with `--json` and answers the one document on standard output. @throws when there is another exit code. */
  readonly json: (...args: readonly string[]) => Record<string, unknown>;
  readonly remove: () => void;
}

export function cli(args: readonly string[], env: Env, cwd: string): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: hang_ms,
  });
  return { code: status, stdout, stderr };
}

/** Runs a program while this process goes on, as a server that the program asks. */
export const runLater = (file: string, args: readonly string[], env: Env, cwd: string): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd, env, timeout: hang_ms, maxBuffer: 1e8 };
    const child = execFile(file, args, options, (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }));
  });

/** Runs a command like `runLater`. */
export const cliLater = (args: readonly string[], env: Env, cwd: string): Promise<Ran> =>
  runLater(process.execPath, [program, ...args], env, cwd);

/** @param more variables of every command */
export const scratch = (more: Env = {}): Scratch => scratchOf(more, cli);

export interface HostedScratch extends Scratch {
  /** Runs a command like `run` while this process goes on, as a server that the command asks. */
  readonly later: (args: readonly string[], env: Env) => Promise<Ran>;
}

/** Returns what runs commands as `cli` does, but in the process of a host. */
export const hostedCli =
  (host: CommandHost): typeof cli =>
  (args, env, cwd) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', host.script, 'agent-cli', ...args], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: hang_ms,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: status, stdout, stderr };
  };

/** A scratch directory whose commands share a process, for tests of what they print and record. */
export function hostedScratch(more: Env = {}): HostedScratch {
  const host = commandHost();
  const place = scratchOf(more, hostedCli(host));
  const remove = (): void => {
    host.release();
    place.remove();
  };
  const later = (args: readonly string[], env: Env): Promise<Ran> =>
    runLater('/bin/sh', ['-c', `exec </dev/null\n${host.script}`, 'agent-cli', ...args], env, place.directory);
  return { ...place, later, remove };
}

/** A scratch directory with a home, and with these documents by their names. */
export function homeScratch(documents: Readonly<Record<string, unknown>> = {}, more: Env = {}): HostedScratch {
  const place = hostedScratch(more);
  for (const [name, document] of Object.entries(documents)) writeFileSync(join(place.directory, name), JSON.stringify(document));
  place.json('init');
  return place;
}

function scratchOf(more: Env, runProgram: typeof cli): Scratch {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-cli-test-')));
  const coverage = process.env['NODE_V8_COVERAGE'];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    AGENT_HOME: join(directory, 'home'),
    AGENT_WITNESS: join(directory, 'witness'),
    LC_ALL: 'C.UTF-8',
    COLUMNS: '99',
    AGI_INSIGHT_BUS_PORT: '0',
    ...(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }),
    ...more,
  };
  const run = (...args: readonly string[]): Ran => runProgram(args, env, directory);
  return {
    directory,
    env,
    run,
    json: (...args) => {
      const { code, stdout, stderr } = run(...args, '--json');
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Puts a configuration into force. */
export function configure({ directory, json }: Pick<Scratch, 'directory' | 'json'>, config: object): void {
  const file = join(directory, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  for (const args of [['pause'], ['configure', file], ['resume']]) json(...args);
}

/** Why no command can be run on a terminal here, or null. */
export function whyNoTerminal(): string | null {
  const said = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return said.status === 0 && said.stdout.includes('util-linux') ? null : 'script (util-linux) is not installed';
}

/**
 * Runs on a pseudo-terminal: standard output and standard error are one text.
 * @param typed what a person types ahead
 */
export const onTerminal = (args: readonly string[], env: Env, cwd: string, typed = ''): Ran =>
  lineOnTerminal([process.execPath, program, ...args].map(quoted).join(' '), env, cwd, typed);

/** Runs a line of a shell like `onTerminal`. */
export function lineOnTerminal(line: string, env: Env, cwd: string, typed = ''): Ran {
  const shell = { TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', typed_ahead, 'terminal', typed, line], {
    cwd,
    env: { ...shell, ...env },
    encoding: 'utf8',
    timeout: hang_ms,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: status, stdout, stderr };
}

/**
 * Runs on a pseudo-terminal and types each text once what is before it was printed, in this order: for keys that mean something else
 * while nobody asks, as Ctrl-C does.
 */
export function talkOnTerminal(
  args: readonly string[],
  env: Env,
  cwd: string,
  talk: readonly (readonly [string, string])[],
): Promise<Ran> {
  const line = [process.execPath, program, ...args].map(quoted).join(' ');
  const shell = { TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...shell, ...env }, timeout: hang_ms });
  const left = [...talk];
  let [stdout, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (let [next] = left; next !== undefined; [next] = left) {
      const at = stdout.indexOf(next[0], seen);
      if (at < 0) return;
      seen = at + next[0].length;
      left.shift();
      child.stdin.write(next[1]);
    }
  });
  // The program may have ended before it read what was typed last.
  child.stdin.on('error', () => undefined);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr: '' })));
}

/** A mission that is executed at once. */
export const plan = {
  goal: 'Choose what to repair before winter',
  work: {
    kind: 'allocation',
    budget: 10,
    items: [
      { id: 'roof', cost: 6, value: 9 },
      { id: 'door', cost: 3, value: 4 },
      { id: 'fence', cost: 5, value: 5 },
    ],
  },
};
