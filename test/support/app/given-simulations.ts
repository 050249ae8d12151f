/** The simulation's service over a temporary home, and runs that wait for the test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import type { ProgressMessage } from '../../../src/codec/api-simulation.js';
import type { RunError } from '../../../src/codec/events/simulation.js';
import type { DaemonOptions } from '../../../src/app/daemon/daemon.js';
import type { AgentRestart } from '../../../src/app/orchestrator/orchestrator.js';
import { failRunsOfEarlierDaemon } from '../../../src/app/simulation/runs/runs.js';
import { one_island } from '../../../src/app/simulation/islands/settings.js';
import type { SimulationAnswer, RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { startSimulations, type SimulationService, type SimulationOptions } from '../../../src/app/simulation/service.js';
import { baselineOf } from '../../../src/engines/simulation/engine.js';
import { daemonsForEach, type GivenDaemon } from './given-daemon.js';
import { run } from './simulation.js';
import type { TemporaryHome } from './temporary-home.js';

export interface GivenService {
  readonly service: SimulationService;
  readonly daemon: GivenDaemon;
  readonly restarts: readonly AgentRestart[];
  readonly failures: readonly { readonly id: string; readonly error: RunError }[];
  readonly warnings: readonly string[];
}

export type GivenOptions = Partial<SimulationOptions> & { readonly daemon?: Partial<DaemonOptions> };

export const hasty = { limits: { heartbeat_ms: 10, silence_ms_max: 400, restart_ms_min: 5, restart_ms_max: 10 } };

/** Services that are stopped after each test, with their daemons. To be called before `homeForEach`, whose homes go then. */
export function servicesForEach(): { readonly start: (home: TemporaryHome, options?: GivenOptions) => Promise<GivenService> } {
  const services: SimulationService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  const daemons = daemonsForEach();
  return {
    start: async (home, { daemon: given, ...options } = {}) => {
      const daemon = await daemons.start(home, { orchestrator: hasty, ...given });
      await failRunsOfEarlierDaemon(daemon.home, () => undefined);
      const restarts: AgentRestart[] = [];
      const failures: { id: string; error: RunError }[] = [];
      daemon.orchestrator.onRestart((restart) => void restarts.push(restart));
      const warnings: string[] = [];
      const service = startSimulations(daemon, {
        islands: one_island,
        onFailed: (id, error) => void failures.push({ id, error }),
        onWarning: (message) => void warnings.push(message),
        ...options,
      });
      services.push(service);
      return { service, daemon, restarts, failures, warnings };
    },
  };
}

/** The result of a run, computed here. */
export function computed(task: Parameters<RunSimulation>[0]): SimulationAnswer {
  const text = canonicalJson(run(task.request, task.islands, task.request.seed));
  return { type: 'answered', text, outcome_hash: sha256Hex(text) };
}

export interface HeldSimulation {
  readonly simulate: RunSimulation;
  /** Seeds of the runs under way, in order. */
  readonly working: readonly number[];
  /** How often each seed was begun. */
  readonly begun: ReadonlyMap<number, number>;
  /** Completes generations up to this one. */
  readonly advance: (seed: number, generation: number) => void;
  /** Lets a run, or all that come, go to its end. */
  readonly release: (seed: number | 'all') => void;
}

/** Runs, known by their seeds, that tell their years at once and then wait for the test, or until they must stop. */
export function heldSimulation(): HeldSimulation {
  const working: number[] = [];
  const begun = new Map<number, number>();
  const released = new Set<number | 'all'>();
  const advances = new Map<number, (generation: number) => void>();
  const simulate: RunSimulation = async (task, watch = {}) => {
    const { seed, generations } = task.request;
    begun.set(seed, (begun.get(seed) ?? 0) + 1);
    working.push(seed);
    watch.onYears?.(baselineOf(task.request).affected);
    let heard = 0;
    const advance = (generation: number): void => {
      while (heard < generation) watch.onGeneration?.(++heard, heard / generations);
    };
    advances.set(seed, advance);
    try {
      while (!released.has('all') && !released.delete(seed)) {
        if (watch.mustStop?.() === true) return { type: 'stopped' };
        await sleep(5);
      }
      advance(generations);
      return computed(task);
    } finally {
      working.splice(working.indexOf(seed), 1);
    }
  };
  return {
    simulate,
    working,
    begun,
    advance: (seed, generation) => advances.get(seed)?.(generation),
    release: (seed) => void released.add(seed),
  };
}

export interface Hearing {
  readonly items: readonly ProgressMessage[];
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

export function hear({ feed }: SimulationService, id: string | null): Hearing {
  const controller = new AbortController();
  const items: ProgressMessage[] = [];
  const listen = async (): Promise<void> => {
    for await (const item of feed.follow(id, controller.signal)) items.push(item);
  };
  const ended = listen();
  ended.catch(() => undefined);
  return { items, ended, leave: () => controller.abort() };
}

/** `y1:6 g1 ended:succeeded`: items of one run in a line. */
export const inWords = (items: readonly ProgressMessage[], id: string): string =>
  items
    .filter((item) => item.id === id)
    .map((item) => {
      if (item.type === 'year') return `y${item.year}:${item.affected}`;
      return item.type === 'generation' ? `g${item.generation}` : `ended:${item.state}`;
    })
    .join(' ');

export const ask = async (service: SimulationService, document: unknown = {}, key?: string): Promise<string> =>
  (await service.request(document, { actor: 'operator', key })).id;
