/** A real daemon under fuzzing: fixed tokens and ids, some missions and a run, and what must hold of it at any time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../drill/given-attacked.js';
import { decisionOn, get, isOk, post, shownIn } from '../drill/load.js';
import { ask } from '../drill/probe.js';
import { RealDaemon, rss_growth_bytes_max, simulation_token } from '../drill/real-daemon.js';
import { makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { freePort } from '../support/http/free-port.js';
import { until } from '../support/app/given-daemon.js';
import { minimal } from '../support/codec/mission-samples.js';
import type { Schema } from '../support/http/schema-check.js';
import { uuidOf } from '../support/app/temporary-home.js';

/** The home's own token, so that an input of one run is valid in another. */
export const admin_token = 'f'.repeat(43);
/** Missions in three states. */
export const missions = { queued: uuidOf(1), review: uuidOf(2), completed: uuidOf(3), nobody: uuidOf(9) } as const;
/** Stands for the run's id, which the program draws, in inputs. */
export const run_placeholder = '5eed5eed5eed5eed';

const error_level = 50;
/** How often the memory is looked at, in inputs. */
const memory_every = 20;
const starts_max = 3;
const log_shown = 3;

export class FuzzedDaemon {
  private logged = 0;
  private looks = 0;

  private constructor(
    private readonly root: string,
    private readonly sandbox: Sandbox,
    readonly daemon: RealDaemon,
    /** The OpenAPI documents. */
    readonly documents: Readonly<Record<Server, Schema>>,
    private readonly run: string,
    private readonly idle_bytes: number,
  ) {}

  static async start(): Promise<FuzzedDaemon> {
    const root = mkdtempSync(join(tmpdir(), 'agent-fuzz-'));
    const sandbox = makeSandbox(join(root, 'sandbox'));
    await command(sandbox, 'init');
    writeFileSync(join(sandbox.home, 'api.token'), admin_token);
    const daemon = await startWithBus(sandbox);
    const { operator, simulation, token } = daemon.target;
    const run = await fill(daemon);
    const documents = {
      operator: JSON.parse((await ask(`${operator}api/openapi.json`, 'GET', token)).text) as Schema,
      simulation: JSON.parse((await ask(`${simulation}openapi.json`, 'GET', simulation_token)).text) as Schema,
    };
    return new FuzzedDaemon(root, sandbox, daemon, documents, run, daemon.rss_bytes);
  }

  portOf(server: Server): number {
    return Number(new URL(this.daemon.target[server]).port);
  }

  /** Returns an input with the id of this daemon's run in place of the placeholder. */
  filled(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    return text.includes(run_placeholder) ? Buffer.from(text.replaceAll(run_placeholder, this.run), 'latin1') : bytes;
  }

  get home(): string {
    return this.sandbox.home;
  }

  /** Returns what does not hold of the process: it lives, both servers respond, it logged no error, its memory is bounded. */
  async faults(): Promise<readonly string[]> {
    const { daemon } = this;
    if (!daemon.isAlive) return [`the daemon ended: ${lastOf(daemon.log)}`];
    const { operator, simulation } = daemon.target;
    const responses = await Promise.all([ask(`${operator}healthz`, 'GET'), ask(`${simulation}healthz`, 'GET')]);
    const silent = responses.filter(({ status }) => status !== 200);
    const errors = daemon.log.slice(this.logged).filter(({ level }) => level >= error_level);
    this.logged = daemon.log.length;
    return [
      ...silent.map(({ status, text }) => `GET /healthz: ${status} ${text}`),
      ...errors.map(({ msg, err }) => `the log has an error: ${msg}${err === undefined ? '' : ` (${err.message})`}`),
      ...this.memoryFaults(),
    ];
  }

  private memoryFaults(): readonly string[] {
    if (this.looks++ % memory_every > 0) return [];
    const grown = this.daemon.rss_bytes - this.idle_bytes;
    return grown > rss_growth_bytes_max ? [`the daemon holds ${Math.round(grown / 1_048_576)} MB more than at its start`] : [];
  }

  /** Stops the daemon. Returns what is wrong with its end, or with its journal. */
  async close(): Promise<readonly string[]> {
    const { daemon, sandbox, root } = this;
    const wasAlive = daemon.isAlive;
    await daemon.stop();
    const [code, signal] = await daemon.ended;
    const { valid } = await command(sandbox, 'verify', '--deep');
    rmSync(root, { recursive: true, force: true });
    return [
      ...(wasAlive && code !== 0 ? [`the daemon ended with ${code ?? String(signal)} on SIGTERM`] : []),
      ...(valid === true ? [] : ['the journal does not verify']),
    ];
  }
}

export type Server = 'operator' | 'simulation';

const lastOf = (log: RealDaemon['log']): string =>
  log
    .slice(-log_shown)
    .map(({ msg }) => msg)
    .join('; ');

/** Starts the daemon with its bus; on another port if somebody takes the free one first. */
async function startWithBus({ env }: Sandbox): Promise<RealDaemon> {
  for (let n = 1; ; n++) {
    try {
      return await RealDaemon.start(env, { AGI_INSIGHT_BUS_PORT: String(await freePort()) });
    } catch (error) {
      if (n === starts_max) throw error;
    }
  }
}

/** Makes the missions and a run. Returns the id of the run. */
async function fill({ target }: RealDaemon): Promise<string> {
  const wanted = async (asked: ReturnType<typeof ask>): Promise<ReturnType<typeof shownIn>> => {
    const response = await asked;
    if (!isOk(response)) throw new Error(`${response.status} ${response.text}`);
    return shownIn(response);
  };
  const submitted = (id: string, kind: 'allocation' | 'forecast' | 'schedule') =>
    wanted(post(target, '/api/missions', minimal(kind), { 'Idempotency-Key': id }));
  await submitted(missions.queued, 'forecast');
  for (const [id, kind] of [[missions.review, 'allocation'] as const, [missions.completed, 'schedule'] as const]) {
    await submitted(id, kind);
    const executed = await wanted(post(target, `/api/missions/${id}/execute?wait=1`));
    if (id === missions.completed) await wanted(post(target, `/api/missions/${id}/review`, decisionOn(executed)));
  }
  await wanted(get(target, `/api/missions/${missions.completed}/export`));
  const { simulation } = target;
  const { id } = await wanted(ask(`${simulation}simulate`, 'POST', simulation_token, { seed: 1 }));
  await until(async () => isOk(await ask(`${simulation}results/${id}`, 'GET', simulation_token)), `run ${id}`);
  return id;
}

export class Place {
  private started: Promise<FuzzedDaemon> | null = null;

  readonly daemon = (): Promise<FuzzedDaemon> => (this.started ??= FuzzedDaemon.start());

  /** Stops the daemon; the next target that asks gets another one. Returns what is wrong with its end, or with its journal. */
  async close(): Promise<readonly string[]> {
    const daemon = await this.started;
    this.started = null;
    return daemon === null ? [] : daemon.close();
  }
}
