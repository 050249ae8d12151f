/** The executions of the daemon: several at once, each under its own lease and with its engine on its own thread. */
import { setTimeout as sleep } from 'node:timers/promises';
import { stages_wait_ms, daemon_stop_ms_max } from '../../base/limits.js';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { Via } from '../../codec/scalars.js';
import type { Mission } from '../../codec/record.js';
import { readMission } from '../../tables/missions.js';
import type { RunEngine } from '../threads/engine-thread.js';
import { runAttempt } from '../missions/attempt.js';
import { executing_max_default, takeLease, type Leased } from '../missions/lease.js';
import type { Home } from '../home/home.js';
import { homeVia } from '../home/via.js';
import { missionRecord } from '../missions/record.js';
import type { StageRunner } from '../orchestrator/orchestrator.js';
import type { DaemonFeed } from './feed.js';

export interface ExecutionsOptions {
  readonly executing_max?: number | undefined;
  readonly runEngine?: RunEngine | undefined;
  readonly onWarning: (message: string) => void;
  readonly runStageOf?: ((mission: string) => StageRunner) | undefined;
}

interface Execution {
  readonly outcome: Promise<MissionRecord>;
  readonly controller: AbortController;
}

const stopping: Refusal = { code: 'interrupted', detail: 'the daemon is stopping; nothing was started' };

export class Executions {
  readonly max: number;
  private readonly executing = new Map<string, Execution>();
  /** Leases that are being taken. */
  private readonly starting = new Set<Promise<unknown>>();
  private why: string | null = null;

  constructor(
    private readonly home: Home,
    private readonly feed: DaemonFeed,
    private readonly options: ExecutionsOptions,
  ) {
    this.max = options.executing_max ?? executing_max_default();
  }

  /** Takes the lease and returns the running record; the work continues on a thread. @throws RefusalError as `execute` does */
  readonly start = async (id: string, actor: string, via?: Via): Promise<MissionRecord> => {
    if (this.why !== null) throw new RefusalError(stopping);
    const { onWarning } = this.options;
    const leasing = takeLease(homeVia(this.home, via), id, { actor, executing_max: this.max, onWarning });
    this.starting.add(leasing);
    try {
      const leased = await leasing;
      this.work(leased, actor);
      return missionRecord(this.home, leased.mission);
    } finally {
      this.starting.delete(leasing);
    }
  };

  /** Resolves when the mission's current execution ends; null if the daemon is not executing it. */
  readonly outcome = (id: string): Promise<MissionRecord> | null => this.executing.get(id)?.outcome ?? null;

  readonly running = (): readonly string[] => [...this.executing.keys()];

  /** Stops all executions at their next checkpoint; each is recorded as a failure with this reason. */
  interrupt(why: string): void {
    for (const { controller } of this.executing.values()) controller.abort(why);
  }

  /** Starts no more executions and waits until all have ended; returns the missions that did not end in time. */
  async stop(why: string): Promise<readonly string[]> {
    this.why = why;
    this.interrupt(why);
    const late = new AbortController();
    const deadline = sleep(daemon_stop_ms_max, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.ended(), deadline]);
    late.abort();
    return this.running();
  }

  private async ended(): Promise<void> {
    await Promise.allSettled(this.starting);
    await Promise.allSettled([...this.executing.values()].map(({ outcome }) => outcome));
  }

  private isOver({ id, attempt }: Mission): boolean {
    const mission = this.home.db.open ? readMission(this.home.db, id) : null;
    return mission !== null && (mission.state !== 'running' || mission.attempt !== attempt);
  }

  private work(leased: Leased, actor: string): void {
    const { id, attempt, revision } = leased.mission;
    const controller = new AbortController();
    // A lease that was taken while the daemon began to stop is released like any other.
    if (this.why !== null) controller.abort(this.why);
    this.feed.begin(id, revision);
    const work = runAttempt(this.home, leased, {
      actor,
      signal: controller.signal,
      runEngine: this.options.runEngine,
      runStage: this.options.runStageOf?.(id),
      isBackground: true,
      stages_wait_ms,
      onWarning: this.options.onWarning,
      onProgress: (stage, done) => this.feed.progress({ type: 'progress', mission: id, attempt, stage, done }),
    });
    const outcome = work.finally(() => {
      this.feed.finish(id, revision);
      // A later attempt may have started meanwhile, if this one was cancelled.
      if (this.executing.get(id)?.controller === controller) this.executing.delete(id);
    });
    this.executing.set(id, { outcome, controller });
    const { onWarning } = this.options;
    outcome.catch((error: unknown) => {
      // A refusal after the attempt's end was recorded is not a warning: callers of `outcome` receive it.
      if (error instanceof RefusalError && this.isOver(leased.mission)) return;
      onWarning(`mission ${id}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
