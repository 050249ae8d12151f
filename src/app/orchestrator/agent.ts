/**
 * One of the seven agents. It runs and watches the work of its stage. Work that throws an unexpected error, or is unresponsive
 * for too long, is abandoned. The agent then restarts after a pause, which grows while all of its work fails; work that arrives
 * meanwhile waits.
 */
import { Fault } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import type { Role } from '../../codec/roles.js';

/** Receives the heartbeats of a piece of work. */
export interface StageObserver {
  /** The work made progress: a thread's checkpoint, a message, or a finished step. */
  readonly heartbeat: () => void;
  /** Announces a step without heartbeats that ends by itself within `ms`; the work counts as responsive for that time. */
  readonly quiet: (ms: number) => void;
  /** The work was silent for `ms` because other threads had the processor; this time does not count as silence. */
  readonly starved: (ms: number) => void;
  /** Aborts when the work is abandoned. */
  readonly signal: AbortSignal;
}

export type Stage<A> = (observer: StageObserver) => Promise<A>;

export interface AgentLimits {
  readonly heartbeat_ms: number;
  readonly silence_ms_max: number;
  readonly restart_ms_min: number;
  readonly restart_ms_max: number;
  readonly healthy_ms: number;
}

/** Work in progress. */
interface Work {
  silent_ms: number;
  quiet_ms: number;
  readonly giveUp: (why: Fault) => void;
}

export interface AgentOptions {
  readonly role: Role;
  readonly limits: AgentLimits;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onRestart: (restarts: number, reason: string) => void;
}

const stopping = (): RefusalError =>
  new RefusalError({ code: 'interrupted', detail: 'the process is stopping; nothing was begun' });

export class Agent {
  /** Milliseconds since the epoch. */
  lastHeartbeat: number;
  restarts = 0;
  private readonly works = new Set<Work>();
  /** The number of consecutive faults, and the time of the last one. */
  private faults = 0;
  private faultedAt = Number.NEGATIVE_INFINITY;
  /** Settles when the agent has restarted; null while it is available. */
  private restarting: Promise<void> | null = null;
  private wake: (() => void) | null = null;
  private isStopped = false;

  constructor(private readonly options: AgentOptions) {
    this.lastHeartbeat = options.clock();
  }

  /**
   * Runs one piece of work under the agent, once the agent is available. An error for which `isExpected` returns true is a result
   * of the work and not a fault.
   * @throws any error that the work throws; Fault when the work hung
   */
  async perform<A>(stage: Stage<A>, isExpected: (error: unknown) => boolean): Promise<A> {
    while (this.restarting !== null && !this.isStopped) await this.restarting;
    if (this.isStopped) throw stopping();
    const controller = new AbortController();
    let giveUp: Work['giveUp'] = () => undefined;
    const hung = new Promise<never>((_, reject) => {
      giveUp = (why) => {
        reject(why);
        controller.abort(why);
      };
    });
    const work: Work = { silent_ms: 0, quiet_ms: 0, giveUp };
    this.works.add(work);
    try {
      const done = await Promise.race([stage(observerOf(work, controller.signal)), hung]);
      // The agent is able to work: what faults again and again is then the work of somebody else, and others must not wait long for it.
      this.faults = 0;
      return done;
    } catch (error) {
      if (controller.signal.aborted || !isExpected(error)) this.fault(error);
      throw error;
    } finally {
      this.works.delete(work);
    }
  }

  /**
   * Takes one heartbeat. It succeeds if the agent is available and all work in progress was responsive since the previous one.
   */
  heartbeat(elapsed_ms: number): void {
    let isAlive = this.restarting === null;
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

  /** Starts no more work; work that waits for a restart is refused. */
  stop(): void {
    this.isStopped = true;
    this.wake?.();
  }

  private hang(work: Work): void {
    const { role, limits } = this.options;
    this.works.delete(work);
    work.giveUp(new Fault(`the ${role} agent showed no life for ${limits.silence_ms_max / 1_000} s`));
  }

  private fault(error: unknown): void {
    const { limits, onRestart } = this.options;
    const now = performance.now();
    if (now - this.faultedAt > limits.healthy_ms) this.faults = 0;
    this.faultedAt = now;
    const pause_ms = Math.min(limits.restart_ms_max, limits.restart_ms_min * 2 ** this.faults);
    this.faults++;
    this.restarts++;
    if (!this.isStopped) this.pause(pause_ms);
    onRestart(this.restarts, error instanceof Error ? error.message : String(error));
  }

  private pause(ms: number): void {
    this.wake?.();
    const restarting = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).then(() => {
      if (this.restarting !== restarting) return;
      this.restarting = null;
      this.wake = null;
      this.lastHeartbeat = this.options.clock();
    });
    this.restarting = restarting;
  }
}

const observerOf = (work: Work, signal: AbortSignal): StageObserver => ({
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
  signal,
});
