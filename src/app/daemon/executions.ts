/**
 * The executions of the daemon. Requests are events, so that the queue survives a restart. While a place is free the oldest request is started, under
 * a lease of its own and with its engine on its own thread; one that cannot start is passed over and tried again every minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Refusal, RefusalError } from '../../base/refusal.js';
import { stages_wait_ms, daemon_stop_ms_max } from '../../base/limits.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { Mission } from '../../codec/record.js';
import type { Via } from '../../codec/scalars.js';
import type { EntryNotice } from '../../journal/feed.js';
import { readControl } from '../../tables/control.js';
import { changeOf } from '../../tables/mission-listing.js';
import { nextRequested, readMission } from '../../tables/missions.js';
import { configOrNull, placesOf } from '../home/config.js';
import type { Raise } from '../alerts/alerts.js';
import type { Home } from '../home/home.js';
import { homeVia } from '../home/via.js';
import { runAttempt } from '../missions/attempt.js';
import { failureRefusal } from '../missions/attempt-record.js';
import { isFull, takeLease, type LeaseGrant } from '../missions/lease.js';
import { requestExecution, showMission } from '../missions/missions.js';
import { isWaitedFor } from '../missions/ownership.js';
import { missionRecord } from '../missions/record.js';
import type { StageRunner } from '../orchestrator/orchestrator.js';
import type { RunEngine } from '../threads/engine-thread.js';
import type { DaemonFeed } from './feed.js';

/** Time between two tries to start a mission that could not start. */
const queue_retry_ms = 60_000;

export interface ExecutionsOptions {
  /** The largest number of missions that execute at once; the configuration's when absent. */
  readonly executing_max?: number | undefined;
  /** The time between two tries to start a mission that could not start, in ms. */
  readonly queue_retry_ms?: number | undefined;
  readonly runEngine?: RunEngine | undefined;
  readonly onWarning: (message: string) => void;
  readonly raise?: Raise | undefined;
  readonly runStageOf?: ((mission: string) => StageRunner) | undefined;
}

interface Execution {
  readonly outcome: Promise<MissionRecord>;
  readonly controller: AbortController;
}

/** What those who wait for the outcome of a mission in the queue, or in another process, get. */
interface PendingOutcome {
  readonly outcome: Promise<MissionRecord>;
  readonly resolve: (outcome: MissionRecord | Promise<MissionRecord>) => void;
  readonly reject: (error: RefusalError) => void;
}

const stopping: Refusal = { code: 'interrupted', detail: 'the daemon is stopping; nothing was started' };

/** Events that may let a mission start which could not before. */
const enabling = /^(?:control|tool|worker)\./;
const ends = new Set(['mission.produced', 'mission.failed', 'mission.cancelled']);

export class Executions {
  private readonly executing = new Map<string, Execution>();
  private readonly awaited = new Map<string, PendingOutcome>();
  /** Why missions of the queue could not start. */
  private readonly reasons = new Map<string, string>();
  /** Missions that are not tried again before the next minute. */
  private readonly passedOver = new Set<string>();
  private passing: Promise<void> | null = null;
  private isDue = false;
  private stopReason: string | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly home: Home,
    private readonly feed: DaemonFeed,
    private readonly options: ExecutionsOptions,
  ) {
    this.timer = setInterval(this.retry, options.queue_retry_ms ?? queue_retry_ms).unref();
  }

  /** Returns the number of missions that execute at once. */
  readonly max = (): number => this.options.executing_max ?? placesOf(configOrNull(this.home), 'executing_max');

  /**
   * Puts a mission into the queue and starts what can start. Returns the record: running, or queued with its position. Repeated, it changes nothing.
   * @throws RefusalError when the mission is neither queued nor running, or the agent is paused
   */
  readonly request = async (id: string, actor: string, via?: Via, isAssistant = false): Promise<MissionRecord> => {
    if (this.stopReason !== null) throw new RefusalError(stopping);
    await requestExecution(homeVia(this.home, via), id, actor, isAssistant);
    this.passedOver.delete(id);
    await this.startNext();
    return showMission(this.home, id);
  };

  /**
   * Resolves when the mission's execution ends, which may not have begun, or with the mission in the queue when it cannot start; null if it is
   * neither queued for one nor executing.
   */
  readonly outcome = (id: string): Promise<MissionRecord> | null => {
    const known = this.executing.get(id) ?? this.awaited.get(id);
    if (known !== undefined) return known.outcome;
    if (this.passedOver.has(id)) return Promise.resolve(showMission(this.home, id));
    const mission = readMission(this.home.db, id);
    return mission?.state === 'running' || (mission?.execution_request ?? null) !== null ? this.awaiting(id).outcome : null;
  };

  readonly running = (): readonly string[] => [...this.executing.keys()];

  /** Returns why a mission of the queue could not start, or null. */
  readonly reasonOf = (id: string): string | null => this.reasons.get(id) ?? null;

  /** Takes note of an entry that was recorded, here or by another process. */
  heard({ stream, type }: EntryNotice): void {
    if (enabling.test(type)) {
      // What could not start may wait for a place only.
      this.reasons.clear();
      this.retry();
    } else if (type === 'mission.execution_requested') void this.startNext();
    else if (ends.has(type)) {
      this.reasons.delete(stream);
      this.settle(stream);
      void this.startNext();
    }
  }

  /** Starts missions of the queue while a place is free, the oldest request first. Resolves when no other can start now. */
  readonly startNext = (): Promise<void> => {
    this.isDue = true;
    this.passing ??= this.pass().finally(() => (this.passing = null));
    return this.passing;
  };

  /** Stops all executions at their next checkpoint; each is recorded as a failure with this reason. */
  interrupt(reason: string): void {
    for (const { controller } of this.executing.values()) controller.abort(reason);
  }

  /** Starts no more executions and waits until all have ended; returns the missions that did not end in time. */
  async stop(reason: string): Promise<readonly string[]> {
    this.stopReason = reason;
    clearInterval(this.timer);
    this.interrupt(reason);
    const late = new AbortController();
    const deadline = sleep(daemon_stop_ms_max, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.ended(), deadline]);
    late.abort();
    for (const { reject } of this.awaited.values()) reject(new RefusalError(stopping));
    return this.running();
  }

  private async ended(): Promise<void> {
    await this.passing;
    await Promise.allSettled([...this.executing.values()].map(({ outcome }) => outcome));
  }

  private readonly retry = (): void => {
    this.passedOver.clear();
    void this.startNext();
  };

  private async pass(): Promise<void> {
    while (this.isDue && this.stopReason === null) {
      this.isDue = false;
      for (let next = this.candidate(0); next !== null && (await this.start(next)); ) next = this.candidate(changeOf(next));
    }
  }

  /** Returns the next mission to try, of those of the queue that changed after a sequence. The others are not read: there may be thousands. */
  private candidate(after: number): Mission | null {
    const { home } = this;
    try {
      if (home.unwritable !== null || readControl(home.db).state === 'paused') return null;
      return nextRequested(home.db, after, (mission) => !this.passedOver.has(mission.id) && !isWaitedFor(home, mission));
    } catch (error) {
      this.options.onWarning(`the queue of missions could not be read (${reasonOf(error)}); this is tried again`);
      return null;
    }
  }

  /** Returns whether the next one may be tried: false without a free place. */
  private async start({ id, execution_request }: Mission): Promise<boolean> {
    const { actor = '', via } = execution_request ?? {};
    const { onWarning, executing_max } = this.options;
    if (this.stopReason !== null) return false;
    try {
      const leased = await takeLease(homeVia(this.home, via), id, { actor, executing_max, onWarning });
      this.reasons.delete(id);
      this.work(leased, actor);
      return true;
    } catch (error) {
      const { code } = error instanceof RefusalError ? error.refusal : { code: null };
      if (error instanceof RefusalError && (isFull(error.refusal) || code === 'paused')) return false;
      // It was cancelled meanwhile, or another process executes it.
      if (code !== 'wrong_state' && code !== 'lease_active') this.passOver(id, reasonOf(error));
      return true;
    }
  }

  private passOver(id: string, reason: string): void {
    this.passedOver.add(id);
    const isKnown = this.reasons.get(id) === reason;
    this.reasons.set(id, reason);
    this.awaited.get(id)?.resolve(showMission(this.home, id));
    this.awaited.delete(id);
    if (isKnown) return;
    this.options.onWarning(`mission ${id} cannot start (${reason}); it stays in the queue and is tried again every minute`);
  }

  private awaiting(id: string): PendingOutcome {
    let settled: Pick<PendingOutcome, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
    const outcome = new Promise<MissionRecord>((resolve, reject) => (settled = { resolve, reject }));
    outcome.catch(() => undefined);
    const awaited = { outcome, ...settled };
    this.awaited.set(id, awaited);
    return awaited;
  }

  /** Tells those who wait how a mission ended that no attempt of this process has executed. */
  private settle(id: string): void {
    const awaited = this.awaited.get(id);
    const mission = awaited === undefined ? null : readMission(this.home.db, id);
    if (awaited === undefined || mission === null || mission.state === 'running' || mission.state === 'queued') return;
    this.awaited.delete(id);
    if (mission.state === 'failed') awaited.reject(new RefusalError(failureRefusal(mission)));
    else awaited.resolve(missionRecord(this.home, mission));
  }

  private isOver({ id, attempt }: Mission): boolean {
    const mission = this.home.db.open ? readMission(this.home.db, id) : null;
    return mission !== null && (mission.state !== 'running' || mission.attempt !== attempt);
  }

  private work(leased: LeaseGrant, actor: string): void {
    const { id, attempt, revision } = leased.mission;
    const controller = new AbortController();
    // A lease that was taken while the daemon began to stop is released like any other.
    if (this.stopReason !== null) controller.abort(this.stopReason);
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
      void this.startNext();
    });
    this.executing.set(id, { outcome, controller });
    this.awaited.get(id)?.resolve(outcome);
    this.awaited.delete(id);
    outcome.catch((error: unknown) => this.failed(leased.mission, error));
  }

  private failed(mission: Mission, error: unknown): void {
    const { onWarning, raise } = this.options;
    if (error instanceof RefusalError) {
      const { code, detail } = error.refusal;
      if (code === 'interrupted') {
        raise?.({ type: 'mission_interrupted', id: mission.id });
        return onWarning(`${detail}; queue it again with: agent-cli recover ${mission.id}`);
      }
      // A refusal after the attempt's end was recorded is not a warning: callers of `outcome` receive it.
      if (this.isOver(mission)) return;
    }
    onWarning(`mission ${mission.id}: ${messageOf(error)}`);
  }
}

const reasonOf = (error: unknown): string => (error instanceof RefusalError ? error.refusal.detail : messageOf(error));
