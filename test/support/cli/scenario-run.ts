/** Running scenario files: a fresh directory, a home and a witness of its own, commands through /bin/sh. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { commandHost } from './command-host.js';
import { differs, valueAt, type Scenario, type Step } from './scenario-text.js';
import { hang_ms } from '../wait.js';

const helpers: Readonly<Record<string, string>> = {
  'json-edit': `exec '${process.execPath}' -e '
    const [file, code] = process.argv.slice(1);
    const d = JSON.parse(require("fs").readFileSync(file, "utf8"));
    new Function("d", code)(d);
    process.stdout.write(JSON.stringify(d));' -- "$@"`,
  flip: `exec '${process.execPath}' -e '
    const [file, text, other] = process.argv.slice(1);
    const before = require("fs").readFileSync(file, "latin1");
    if (!before.includes(text)) throw new Error(text + " is not in " + file);
    require("fs").writeFileSync(file, before.replace(text, () => other), "latin1");' -- "$@"`,
};

/** Where a scenario runs, and the directory of the programs that are found before all others. */
export interface Place {
  readonly directory: string;
  readonly bin: string;
}

export function writeHelper(bin: string, name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** Puts the program `agent-cli` into a directory of programs. */
export const writeAgent = (bin: string): void => writeHelper(bin, 'agent-cli', commandHost(false).script);

function prepare(scenario: Scenario, program: string): Place {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'agent-scenario-')));
  const [directory, bin] = [join(scratch, 'work'), join(scratch, 'bin')];
  mkdirSync(directory);
  mkdirSync(bin);
  for (const [name, text] of Object.entries({ ...helpers, 'agent-cli': program })) writeHelper(bin, name, text);
  for (const [name, text] of scenario.files) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return { directory, bin };
}

/**
 * Runs every step; rejects with the line of the first that differs.
 * @param furnish puts more into the place before the first step, and may return what ends it after the last
 * @param hosted whether commands may share a process: by default each has its own
 */
export async function runScenario(
  scenario: Scenario,
  furnish: (place: Place) => (() => void) | void = () => undefined,
  hosted = false,
): Promise<void> {
  const host = commandHost(hosted);
  const place = prepare(scenario, host.script);
  const { directory, bin } = place;
  const variables: Record<string, string> = { DIR: directory };
  const kept = ['NODE_V8_COVERAGE', 'TMPDIR'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const env = {
    COLUMNS: '99',
    ...Object.fromEntries(kept),
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: directory,
    XDG_CACHE_HOME: join(directory, 'none', 'caches'),
    AGENT_HOME: join(directory, 'home'),
    AGENT_WITNESS: join(directory, 'witness'),
    AGI_INSIGHT_BUS_PORT: '0',
    LC_ALL: 'C.UTF-8',
  };
  let end: (() => void) | void = undefined;
  try {
    end = furnish(place);
    for (const step of scenario.steps) compare(step, await shell(step.command, directory, { ...env, ...variables }), variables);
  } finally {
    end?.();
    host.release();
    rmSync(dirname(directory), { recursive: true, force: true });
  }
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a process group of its own, so that nothing it started in the background outlives it. */
const shell = (command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (part: Buffer) => stdout.push(part));
    child.stderr.on('data', (part: Buffer) => stderr.push(part));
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // As it should be: nothing was left.
      }
    };
    const timer = setTimeout(end, hang_ms);
    child.on('error', reject);
    child.on('exit', end);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });

/** What a command says beside a daemon that has not started its mission after 300 ms, as on a busy machine. */
const startedLate = /^mission \S+ waits in the queue, place 1\n/gm;

function compare(step: Step, ran: Ran, variables: Record<string, string>): void {
  const where = `line ${step.line}: ${step.command}`;
  const said = `${where}\n[exit ${String(ran.status)}]\nstdout: ${ran.stdout.slice(0, 2_000)}\nstderr: ${ran.stderr.slice(0, 2_000)}`;
  strictEqual(ran.status, step.exit, `another exit code at ${said}`);
  const stderr = step.stderr.length === 0 ? ran.stderr.replace(startedLate, '') : ran.stderr;
  strictEqual(differs(stderr, step.stderr, variables), null, `standard error differs at ${said}`);
  if (step.captures.length + step.values.length === 0) {
    strictEqual(differs(ran.stdout, step.stdout, variables), null, `standard output differs at ${said}`);
    return;
  }
  deepStrictEqual(step.stdout, [], `${where}: a step has either expected lines or expected JSON`);
  const document: unknown = JSON.parse(ran.stdout);
  for (const { path, expected } of step.values) {
    const text = expected.replace(/\$([A-Z_]+)/g, (word, name: string) => variables[name] ?? word);
    deepStrictEqual(valueAt(document, path), text === 'absent' ? undefined : JSON.parse(text), `${path} at ${said}`);
  }
  for (const { name, path } of step.captures) {
    const value = valueAt(document, path);
    strictEqual(['string', 'number', 'boolean'].includes(typeof value), true, `${path} holds no single value at ${said}`);
    variables[name] = String(value);
  }
}
