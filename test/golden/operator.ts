/** The operator of a home that is being made: the built command line and its daemon, each a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostedCli, program, type Ran } from '../support/cli-run.js';
import type { CommandHost } from '../support/command-host.js';

export type Json = Readonly<Record<string, unknown>>;

/** The items of a list that a command printed. */
export const itemsOf = (list: Json): readonly Json[] => list['items'] as readonly Json[];

export interface Operator {
  /** Holds `home`, `witness` and what commands are given; also their working directory, so that `ledger` appears here. */
  readonly folder: string;
  readonly home: string;
  /** Runs with `--json` and returns the document. @throws Error when the exit code is not `code`, 0 by default */
  readonly run: (args: readonly string[], code?: number) => Promise<Json>;
  /** Starts a command without waiting for it. */
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => ChildProcess;
  /** Writes a new JSON file that a command is given; returns its path. */
  readonly file: (value: unknown) => string;
}

/** The operator of a home to be made in a new folder. */
export function operatorIn(folder: string): Operator {
  mkdirSync(join(folder, 'given'), { recursive: true, mode: 0o700 });
  return operatorOf(folder);
}

/** @param host runs the commands in its process; each has its own otherwise */
export function operatorOf(folder: string, host: CommandHost | null = null): Operator {
  const home = join(folder, 'home');
  const env = {
    PATH: process.env['PATH'] ?? '',
    AGI_INSIGHT_BUS_PORT: '0',
    HOME: folder,
    AGENT_HOME: home,
    AGENT_WITNESS: join(folder, 'witness'),
    LC_ALL: 'C.UTF-8',
  };
  let files = 0;
  const start: Operator['start'] = (args, more = {}) =>
    spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    folder,
    home,
    start,
    run: async (args, code = 0) => {
      const given = [...args, '--json'];
      const ran = host === null ? await outcomeOf(start(given)) : hostedCli(host)(given, env, folder);
      if (ran.code !== code) throw new Error(`${args.join(' ')} ended with ${String(ran.code)}: ${ran.stderr}${ran.stdout}`);
      const { stdout } = ran;
      return code === 0 ? (JSON.parse(stdout) as Json) : {};
    },
    file: (value) => {
      const path = join(folder, 'given', `${++files}.json`);
      writeFileSync(path, JSON.stringify(value));
      return path;
    },
  };
}

async function outcomeOf(child: ChildProcess): Promise<Ran> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (part: Buffer) => out.push(part));
  child.stderr?.on('data', (part: Buffer) => err.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

const poll_ms = 100;
const wait_ms_max = 60_000;

/** Waits until `holds` returns true; a child that ends meanwhile would never let it. */
export async function until(what: string, child: ChildProcess, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + wait_ms_max;
  while (!(await holds())) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await sleep(poll_ms);
  }
}

/** Ends a child by a signal and waits until it is gone. */
export async function end(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const gone = once(child, 'close');
  child.stdout?.resume();
  child.stderr?.resume();
  child.kill(signal);
  await gone;
}

export interface Served {
  /** Sends a JSON document to the operator API, or to the simulation API; returns the response. @throws Error unless it is 2xx */
  readonly post: (
    api: 'operator' | 'simulation',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Json>;
  readonly get: (api: 'operator' | 'simulation', path: string) => Promise<Json>;
  readonly stop: () => Promise<void>;
}

const simulation_token = 'golden-homes-need-a-token-of-32-characters-or-more';

export async function serve(operator: Operator): Promise<Served> {
  const child = operator.start(['serve', '--port', '0', '--json'], { API_TOKEN: simulation_token, PORT: '0' });
  const errors: Buffer[] = [];
  child.stderr?.on('data', (part: Buffer) => errors.push(part));
  const lines = createInterface({ input: child.stdout! });
  const serving = await new Promise<Json>((resolve, reject) => {
    lines.on('line', (line) => {
      const said = JSON.parse(line) as Json;
      if (said['type'] === 'serving') resolve(said);
    });
    child.once('close', () => reject(new Error(`serve ended: ${Buffer.concat(errors).toString()}`)));
  });
  const token = readFileSync(join(operator.home, 'api.token'), 'utf8').trim();
  const apis = { operator: [serving['url'], token], simulation: [serving['simulation'], simulation_token] } as const;
  const ask = async (api: keyof typeof apis, path: string, init: RequestInit): Promise<Json> => {
    const [url, bearer] = apis[api];
    const headers = {
      authorization: `Bearer ${bearer}`,
      connection: 'close',
      'content-type': 'application/json',
      ...init.headers,
    };
    const answer = await fetch(new URL(path, url as string), { ...init, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Json;
  };
  return {
    post: (api, path, body, headers = {}) =>
      ask(api, path, { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    get: (api, path) => ask(api, path, {}),
    stop: () => end(child, 'SIGTERM'),
  };
}
