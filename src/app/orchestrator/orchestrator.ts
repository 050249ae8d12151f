/**
 * The seven agents of a process, one for each recorded role. Each runs its stage of every simulation run and of every mission of
 * the daemon. The orchestrator takes their heartbeats once a second, restarts agents that fault or hang, and reports each
 * restart.
 */
import { RefusalError } from '../../base/result.js';
import {
  agent_heartbeat_ms,
  agent_healthy_ms,
  agent_restart_ms_max,
  agent_restart_ms_min,
  agent_silence_ms_max,
} from '../../base/simulation-limits.js';
import { roles, type Role } from '../../codec/roles.js';
import { Agent, type AgentLimits, type Restart, type Stage, type StageObserver } from './agent.js';

export interface AgentState {
  /** Unix time of the last successful heartbeat, in seconds. */
  readonly last_beat: number;
  readonly restarts: number;
}

export type AgentStates = Readonly<Record<Role, AgentState>>;

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
  healthy_ms: agent_healthy_ms,
};

/** Returns whether an error is a refusal, which is a regular result of the work and not a fault. */
const isRefusal = (error: unknown): boolean => error instanceof RefusalError;

export class Orchestrator {
  private readonly agents: Readonly<Record<Role, Agent>>;
  private readonly listeners = new Set<(restart: AgentRestart) => void>();
  private readonly timer: NodeJS.Timeout;
  private heartbeatAt = performance.now();

  constructor({ limits, clock = Date.now, restarts = {} }: OrchestratorOptions = {}) {
    const settled = { ...usual, ...limits };
    const agentOf = (role: Role): Agent =>
      new Agent({
        role,
        limits: settled,
        clock,
        restarts: restarts[role],
        onRestart: (restart) => this.tell({ role, ...restart }),
      });
    this.agents = Object.fromEntries(roles.map((role) => [role, agentOf(role)])) as Record<Role, Agent>;
    this.timer = setInterval(() => this.heartbeat(settled.heartbeat_ms), settled.heartbeat_ms).unref();
  }

  /** Returns the stage runner of one mission or run: only its own faults make it wait for the restart of an agent. */
  readonly runStageOf =
    (name: string): StageRunner =>
    (role, stage, isExpected = isRefusal) =>
      this.agents[role].perform(name, stage, isExpected);

  /** The stage runner of work without a name. */
  readonly runStage: StageRunner = this.runStageOf('');

  readonly states = (): AgentStates =>
    Object.fromEntries(
      roles.map((role) => [role, { last_beat: this.agents[role].lastHeartbeat / 1_000, restarts: this.agents[role].restarts }]),
    ) as Record<Role, AgentState>;

  /** Calls the listener on every restart until the returned function is called. */
  onRestart(listener: (restart: AgentRestart) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Starts no more work; work in progress continues to its end. */
  stop(): void {
    clearInterval(this.timer);
    for (const role of roles) this.agents[role].stop();
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
