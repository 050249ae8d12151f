/**
 * One of the seven agents: work of its stage passes through it and is watched. A piece of work that throws unexpectedly, or is unresponsive for
 * too long, is given up, and the agent restarts after a pause that grows while it keeps failing; work that comes meanwhile waits.
 */
import { Fault } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import type { Role } from '../../codec/roles.js';

/** Hears from a piece of work that it goes on. */
export interface StageObserver {
  /** Something moved: a thread's checkpoint, a message, a step that ended. */
  readonly heartbeat: () => void;
  /** Announces a step that cannot tell and ends by itself within this time: it counts as responsive for so long. */
  readonly quiet: (ms: number) => void;
  /** It was silent because others had the processor: so much of its silence does not count. */
  readonly starved: (ms: number) => void;
  /** Aborts when the work is given up. */
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

/** Work in hand. */
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
  /** Faults in a row, and when the last one was. */
  private faults = 0;
  private faultedAt = Number.NEGATIVE_INFINITY;
  /** Settles when the agent is back; null while it is there. */
  private restarting: Promise<void> | null = null;
  private wake: (() => void) | null = null;
  private isStopped = false;

  constructor(private readonly options: AgentOptions) {
    this.lastHeartbeat = options.clock();
  }

  /**
   * Passes one piece of work through the agent, once it is there. What `isExpected` says of an error is an answer and no fault.
   * @throws what the work throws; Fault when it hung
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
      return await Promise.race([stage(observerOf(work, controller.signal)), hung]);
    } catch (error) {
      if (controller.signal.aborted || !isExpected(error)) this.fault(error);
      throw error;
    } finally {
      this.works.delete(work);
    }
  }

  /** One heartbeat: it succeeds while the agent is there and all work in hand was heard of since the one before. */
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

  /** Begins nothing more; whoever waits for a restart is refused. */
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
