/**
 * One of the seven agents. It runs and watches the work of its stage. Work that throws an unexpected error, or is unresponsive
 * for too long, is abandoned. The agent then restarts for the work that failed after a pause, which grows while that keeps failing;
 * other work does not wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, messageOf, RefusalError } from '../../base/refusal.js';
import type { AgentBeat } from '../../codec/api-simulation.js';
import type { RestartCause } from '../../codec/events/home.js';
import { type Role, roles } from '../../codec/roles.js';

export const agent_heartbeat_ms = 1_000;
/** A stage without progress for this time is unresponsive. */
export const agent_silence_ms_max = 5_000;
/** Delay before an agent's first restart for a piece of work; each further one doubles it. */
const agent_restart_ms_min = 100;
const agent_restart_ms_max = 10_000;

/** Receives the heartbeats of a piece of work. */
export interface StageObserver {
  /** The work made progress: a thread's checkpoint, a message, or a finished step. */
  readonly heartbeat: () => void;
  /** Announces a step without heartbeats that ends by itself within `ms`; the work counts as responsive for that time. */
  readonly quiet: (ms: number) => void;
  /** The work was silent for `ms` because other threads had the processor; this time does not count as silence. */
  readonly starved: (ms: number) => void;
  /** A part of the work was lost on another machine and is done again; the work itself continues. */
  readonly restarted: (reason: string) => void;
  /** Aborts when the work is abandoned. */
  readonly signal: AbortSignal;
}

export type Stage<A> = (observer: StageObserver) => Promise<A>;

export interface AgentLimits {
  readonly heartbeat_ms: number;
  readonly silence_ms_max: number;
  readonly restart_ms_min: number;
  readonly restart_ms_max: number;
}

/** Work in progress. */
interface Work {
  silent_ms: number;
  quiet_ms: number;
  readonly giveUp: (fault: Fault) => void;
}

/** How long one piece of work (a mission or a run) waits after an agent's faults in it. */
interface Backoff {
  faults: number;
  /** When the agent has restarted from the last one, on the process's monotonic clock (ms). */
  until: number;
}

interface AgentOptions {
  readonly role: Role;
  readonly limits: AgentLimits;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The number of earlier restarts. */
  readonly restarts?: number | undefined;
  readonly onRestart: (restart: Restart) => void;
  /** Aborts when no more work is started. */
  readonly stopped: AbortSignal;
}

interface Restart {
  /** The number of the agent's restarts, this one included. */
  readonly restarts: number;
  /** The mission or run whose work failed; empty for work without a name. */
  readonly work: string;
  readonly cause: RestartCause;
  readonly reason: string;
}

const stopping = (): RefusalError => new RefusalError('interrupted', 'the process is stopping; nothing was started');

export class Agent {
  /** Milliseconds since the epoch. */
  lastHeartbeat: number;
  restarts: number;
  private readonly works = new Set<Work>();

  constructor(private readonly options: AgentOptions) {
    this.lastHeartbeat = options.clock();
    this.restarts = options.restarts ?? 0;
  }

  /**
   * Runs one piece of work under the agent, once the agent has restarted from its last fault in it. An error for which `isExpected` returns
   * true is a result of the work and not a fault.
   * @param name what the work belongs to
   * @throws any error that the work throws; Fault when the work hung
   */
  async perform<A>(name: string, backoff: Backoff, stage: Stage<A>, isExpected: (error: unknown) => boolean): Promise<A> {
    const { stopped: signal } = this.options;
    const wait_ms = backoff.until - performance.now();
    if (wait_ms > 0) await sleep(wait_ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw stopping();
    const controller = new AbortController();
    let giveUp: Work['giveUp'] = () => undefined;
    const hung = new Promise<never>((_, reject) => {
      giveUp = (fault) => {
        reject(fault);
        controller.abort(fault);
      };
    });
    const work: Work = { silent_ms: 0, quiet_ms: 0, giveUp };
    this.works.add(work);
    try {
      return await Promise.race([
        stage(observerOf(work, controller.signal, (reason) => this.count(name, 'unresponsive', reason))),
        hung,
      ]);
    } catch (error) {
      if (controller.signal.aborted) this.fault(name, backoff, 'unresponsive', error);
      else if (!isExpected(error)) this.fault(name, backoff, 'failed', error);
      throw error;
    } finally {
      this.works.delete(work);
    }
  }

  /**
   * Takes one heartbeat. It succeeds if all work in progress was responsive since the previous one.
   */
  heartbeat(elapsed_ms: number): void {
    let isAlive = true;
    for (const work of this.works) {
      if (work.quiet_ms > 0) {
        work.quiet_ms -= elapsed_ms;
        continue;
      }
      if (work.silent_ms > 0) isAlive = false;
      work.silent_ms += elapsed_ms;
      if (work.silent_ms > this.options.limits.silence_ms_max) this.hang(work);
    }
    if (isAlive) this.lastHeartbeat = this.options.clock();
  }

  private hang(work: Work): void {
    const { role, limits } = this.options;
    this.works.delete(work);
    work.giveUp(new Fault(`the ${role} agent sent no heartbeat for ${limits.silence_ms_max / 1_000} s`));
  }

  private fault(name: string, backoff: Backoff, cause: RestartCause, error: unknown): void {
    const { restart_ms_max, restart_ms_min } = this.options.limits;
    backoff.until = performance.now() + Math.min(restart_ms_max, restart_ms_min * 2 ** backoff.faults++);
    this.count(name, cause, messageOf(error));
  }

  private count(work: string, cause: RestartCause, reason: string): void {
    this.options.onRestart({ restarts: ++this.restarts, work, cause, reason });
  }
}

const observerOf = (work: Work, signal: AbortSignal, restarted: StageObserver['restarted']): StageObserver => ({
  heartbeat: () => {
    work.silent_ms = 0;
  },
  quiet: (ms) => {
    work.silent_ms = 0;
    work.quiet_ms = ms;
  },
  starved: (ms) => {
    work.silent_ms = Math.max(0, work.silent_ms - ms);
  },
  restarted,
  signal,
});

export type AgentStates = Readonly<Record<Role, AgentBeat>>;

export interface AgentRestart extends Restart {
  readonly role: Role;
}

/** Runs a stage under the agent of its role. */
export type StageRunner = <A>(role: Role, stage: Stage<A>, isExpected?: (error: unknown) => boolean) => Promise<A>;

const nothing = (): void => undefined;
const unsupervised: StageObserver = {
  heartbeat: nothing,
  quiet: nothing,
  starved: nothing,
  restarted: nothing,
  signal: new AbortController().signal,
};

/** The stage runner without an orchestrator: runs the work at once, unwatched. */
export const directly: StageRunner = (_, stage) => stage(unsupervised);

export interface OrchestratorOptions {
  readonly limits?: Partial<AgentLimits> | undefined;
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  /** The numbers of earlier restarts; 0 when absent. */
  readonly restarts?: Readonly<Partial<Record<Role, number>>> | undefined;
}

const usual: AgentLimits = {
  heartbeat_ms: agent_heartbeat_ms,
  silence_ms_max: agent_silence_ms_max,
  restart_ms_min: agent_restart_ms_min,
  restart_ms_max: agent_restart_ms_max,
};

/** Returns whether an error is a refusal, which is a regular result of the work and not a fault. */
const isRefusal = (error: unknown): boolean => error instanceof RefusalError;

/**
 * The seven agents of a process, one for each recorded role. Each runs its stage of every simulation run and of every mission of
 * the daemon. The orchestrator takes their heartbeats once a second, restarts agents that fault or hang, and reports each
 * restart.
 */
export class Orchestrator {
  private readonly agents: Readonly<Record<Role, Agent>>;
  private readonly listeners = new Set<(restart: AgentRestart) => void>();
  private readonly timer: NodeJS.Timeout;
  private heartbeatAt = performance.now();
  private readonly stopping = new AbortController();

  constructor({ limits, clock = Date.now, restarts = {} }: OrchestratorOptions) {
    const settled = { ...usual, ...limits };
    const agentOf = (role: Role): Agent =>
      new Agent({
        role,
        limits: settled,
        clock,
        restarts: restarts[role],
        onRestart: (restart) => this.tell({ role, ...restart }),
        stopped: this.stopping.signal,
      });
    this.agents = Object.fromEntries(roles.map((role) => [role, agentOf(role)])) as Record<Role, Agent>;
    this.timer = setInterval(() => this.heartbeat(settled.heartbeat_ms), settled.heartbeat_ms).unref();
  }

  /** Returns the stage runner of one attempt at a mission, or of one run: only its own faults make it wait for the restart of an agent. */
  readonly runStageOf = (name: string): StageRunner => {
    const backoffs = Object.fromEntries(roles.map((role) => [role, { faults: 0, until: 0 }])) as Record<Role, Backoff>;
    return (role, stage, isExpected = isRefusal) => this.agents[role].perform(name, backoffs[role], stage, isExpected);
  };

  /** The stage runner of work without a name. */
  readonly runStage: StageRunner = this.runStageOf('');

  readonly states = (): AgentStates =>
    Object.fromEntries(
      roles.map((role) => [role, { last_beat: this.agents[role].lastHeartbeat / 1_000, restarts: this.agents[role].restarts }]),
    ) as Record<Role, AgentBeat>;

  /** Calls the listener on every restart until the returned function is called. */
  onRestart(listener: (restart: AgentRestart) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Starts no more work, and refuses work that waits for a restart; work in progress continues to its end. */
  stop(): void {
    clearInterval(this.timer);
    this.stopping.abort();
  }

  /**
   * Takes a heartbeat of every agent. A process that was itself stopped (suspended, its event loop blocked) could not observe its
   * work, so the elapsed time is limited to two heartbeats.
   */
  private heartbeat(heartbeat_ms: number): void {
    const now = performance.now();
    const elapsed_ms = Math.min(now - this.heartbeatAt, 2 * heartbeat_ms);
    this.heartbeatAt = now;
    for (const role of roles) this.agents[role].heartbeat(elapsed_ms);
  }

  private tell(restart: AgentRestart): void {
    for (const listener of this.listeners) listener(restart);
  }
}

/** Runs one piece of work under agents of its own, for commands that need no daemon. */
export async function withAgents<A>(work: (runStage: StageRunner) => Promise<A>, options: OrchestratorOptions = {}): Promise<A> {
  const orchestrator = new Orchestrator(options);
  try {
    return await work(orchestrator.runStage);
  } finally {
    orchestrator.stop();
  }
}
