/**
 * The daemon of a home. It holds the daemon's lock, groups concurrent commands into common commits, executes missions on threads,
 * verifies the journal periodically, follows it for all feed followers, and keeps the witness file up to date.
 */
import { errorCode, type Refusal, RefusalError } from '../../base/refusal.js';
import type { ConfigStatus } from '../../codec/api-status.js';
import type { Event } from '../../codec/event.js';
import { followFeed } from '../../journal/feed.js';
import { AppendQueue } from '../../journal/queue.js';
import type { Command } from '../../journal/writer.js';
import { connectionOf } from '../../tables/connection.js';
import type { Damage } from '../../tables/damage.js';
import { storageError } from '../../store/database.js';
import { noteDaemon, removeDaemonFile, requireHome } from '../home/files.js';
import { type Home, toleratedFaults, type World } from '../home/home.js';
import { openHome } from '../home/open.js';
import { upgradeNotice } from '../home/upgrade.js';
import { Orchestrator, type OrchestratorOptions } from '../orchestrator/orchestrator.js';
import { warmEngines } from '../threads/engine-thread.js';
import { keepThreads } from '../threads/watched-worker.js';
import {
  type InterruptedOptions,
  InterruptedSearch,
  recordedRestarts,
  RestartRecorder,
  SnapshotKeeper,
  WitnessKeeper,
} from './background.js';
import { Executions, type ExecutionsOptions } from './executions.js';
import { DaemonFeed, type FeedEnd } from './feed.js';
import { damageKnown, type Verification, Verifier } from './verification.js';
import * as fs from 'node:fs';
import { lookOf } from '../../home/regular-file.js';
import { configFault, configurationVersion, restoreHint } from '../home/config.js';

/** Free threads of each kind that a daemon keeps. */
const kept_threads_max = 2;

/** How often a daemon looks whether what it reads is still the journal of the home. */
const copy_check_ms = 1_000;

/** Tokens and missions would be those of the past, or of a home that commands no longer open. */
const outdated = ({ unwritable }: Home): RefusalError =>
  new RefusalError(
    'conflict',
    unwritable === null
      ? 'the home was replaced while the daemon served it: what it recorded is in the home that was there before'
      : 'another process has written to this home, of which a copy was served because this process cannot write to it',
    { hint: 'agent-cli serve' },
  );

export interface DaemonOptions extends Omit<ExecutionsOptions, 'runStageOf'>, InterruptedOptions {
  /** The time from the start to the first verification of the whole journal, in ms; without it that begins at once. */
  readonly verification_delay_ms?: number | undefined;
  /** The time from the end of one verification of the whole journal to the start of the next, in ms. */
  readonly verification_pause_ms?: number | undefined;
  readonly orchestrator?: OrchestratorOptions | undefined;
}

export interface Daemon {
  /**
   * The home. Its `transact` commits concurrent commands together, and waits for other processes without blocking the event loop.
   */
  readonly home: Home;
  readonly executions: Pick<Executions, 'request' | 'outcome' | 'running' | 'max'>;
  /** The agents that run the stages of missions and simulation runs. */
  readonly orchestrator: Pick<Orchestrator, 'runStageOf' | 'states' | 'onRestart'>;
  readonly verification: () => Verification;
  /** Returns whether config.json is the signed configuration now. */
  readonly configuration: () => ConfigStatus;
  readonly feed: Pick<DaemonFeed, 'newest' | 'follow'>;
  /**
   * Registers a function that is called when the daemon stops, in parallel with the end of the executions and within their time
   * limit.
   */
  readonly endWith: (end: () => Promise<void>) => void;
  /** Ends executions (recorded as `interrupted`) at once, then the feed and the home, but these not before `requests` has resolved. */
  readonly stop: (requests?: Promise<unknown>) => Promise<void>;
  /**
   * Resolves once the daemon has stopped; rejects if it ended by itself, because the journal can no longer be read or written. Its home is
   * then open until `stop`, for the requests in progress.
   */
  readonly ended: Promise<void>;
}

/**
 * Starts the daemon.
 * @throws RefusalError as `openHome`, and `in_use` with the pid of a daemon that already holds the home
 */
export async function startDaemon(world: World, options: DaemonOptions): Promise<Daemon> {
  const opened = openHome(world, { lock: 'daemon' });
  let core: Core;
  try {
    core = new Core(opened, options);
  } catch (error) {
    removeDaemonFile(opened.paths.daemon);
    opened.close();
    throw error;
  }
  try {
    const notice = upgradeNotice(opened.upgrade);
    if (notice !== null) options.onWarning(notice);
    if (opened.unwritable !== null) options.onWarning(`this home is served for reading only: ${opened.unwritable.detail}`);
    for (const fault of toleratedFaults(opened)) options.onWarning(fault);
    await core.interrupted.search();
  } catch (error) {
    await core.stop();
    throw error;
  }
  keepThreads(kept_threads_max);
  void core.executions.startNext();
  if (options.runEngine === undefined) warmEngines();
  return core;
}

class Core implements Daemon {
  readonly home: Home;
  readonly orchestrator: Orchestrator;
  readonly executions: Executions;
  readonly feed: DaemonFeed;
  readonly interrupted: InterruptedSearch;
  readonly configuration: ConfigWatch['status'];
  readonly ended: Promise<void>;
  private readonly ends: (() => Promise<void>)[] = [];
  private readonly queue: AppendQueue;
  private readonly watch: ReturnType<typeof followFeed>;
  private readonly witness: WitnessKeeper;
  private readonly snapshots: SnapshotKeeper;
  private readonly verifier: Verifier;
  private readonly config: ConfigWatch;
  private readonly restarts: RestartRecorder;
  private readonly copyCheck: NodeJS.Timeout;
  private stopped: Promise<void> | null = null;
  private settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null = null;
  private answer: (requests?: Promise<unknown>) => void = () => undefined;
  /** Resolves once `stop` was called and its requests are answered: until then they need the home, also where the daemon ended by itself. */
  private readonly answered = new Promise<unknown>((resolve) => (this.answer = resolve));

  constructor(
    opened: Home,
    private readonly options: DaemonOptions,
  ) {
    const { onWarning } = options;
    this.queue = new AppendQueue(opened.writer, (fault) => void this.end({ error: fault }));
    opened.writer.admit = this.admit;
    this.home = {
      ...opened,
      transact: this.transact,
      damage: this.damage,
      queueReason: (id) => this.executions.reasonOf(id),
    };
    this.ended = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.ended.catch(() => undefined);
    const unwritten = opened.unwritable === null ? noteDaemon(opened.paths.daemon, opened.world) : null;
    if (unwritten !== null) onWarning(`daemon.json could not be written (${unwritten}): other commands cannot name this process`);
    const { size } = opened.writer.head;
    this.feed = new DaemonFeed(opened.db, size, () => opened.writer.head.size);
    this.witness = new WitnessKeeper(opened, onWarning, this.damage.report);
    this.snapshots = new SnapshotKeeper(opened);
    this.orchestrator = new Orchestrator({ restarts: recordedRestarts(opened), ...options.orchestrator });
    this.restarts = new RestartRecorder(this.home, onWarning);
    this.orchestrator.onRestart((restart) => {
      this.restarts.record(restart);
      options.raise?.({ type: 'agent_restarted', role: restart.role, restarts: restart.restarts });
    });
    this.executions = new Executions(this.home, this.feed, { ...options, runStageOf: this.orchestrator.runStageOf });
    this.interrupted = new InterruptedSearch(this.home, options);
    this.watch = followFeed(
      opened.db,
      size,
      (entry) => {
        this.feed.take(entry);
        this.witness.note();
        this.snapshots.note();
        this.executions.heard(entry);
      },
      (error) => void this.end({ error: storageError(error, 'journal.sqlite3') }),
    );
    this.verifier = new Verifier(opened, {
      delay_ms: options.verification_delay_ms,
      pause_ms: options.verification_pause_ms,
      onWarning,
      onFailure: () => {
        this.executions.interrupt('the journal failed its verification');
        options.raise?.({ type: 'journal_failed' });
      },
    });
    this.config = new ConfigWatch(opened, this.configChanged);
    this.configuration = this.config.status;
    connectionOf(opened.db).damage = this.damage;
    this.copyCheck = setInterval(() => {
      if (opened.isOutdated()) void this.end({ error: outdated(opened) });
    }, copy_check_ms).unref();
  }

  /** Damage of a row is tolerated: reads continue with the signed state, and the journal counts as damaged. */
  private readonly damage: Damage = {
    report: (refusal) => this.verifier.report(refusal),
    found: () => {
      const { valid, failure } = this.verifier.last;
      return valid === false ? [{ code: 'integrity', detail: failure ?? '' }] : [];
    },
  };

  readonly stop = (requests?: Promise<unknown>): Promise<void> => {
    this.answer(requests);
    return this.end('stopped');
  };

  readonly endWith = (end: () => Promise<void>): void => void this.ends.push(end);

  readonly verification = (): Verification => this.verifier.last;

  /** @throws RefusalError for an event that is not recorded now, and when the home is gone */
  private readonly admit = (event: Event): void => {
    const fault = this.config.current();
    if (fault !== null) requireHome(this.home.paths);
    if (stops.has(event.type)) return;
    const last = this.verification();
    if (last.valid === false) throw new RefusalError(damageKnown(last));
    if (fault !== null) throw new RefusalError(unsignedConfig(fault));
  };

  private readonly configChanged = (fault: Refusal | null): void => {
    const { onWarning, raise } = this.options;
    if (fault === null) return onWarning('config.json is the signed configuration again');
    onWarning(unsignedConfig(fault).detail);
    this.executions.interrupt('config.json is not the signed configuration');
    raise?.({ type: 'config_failed' });
  };

  private readonly transact = async <A>(command: Command<A>): Promise<A> => {
    try {
      return await this.queue.submit(command);
    } finally {
      this.watch.poke();
    }
  };

  private end(reason: NonNullable<FeedEnd>): Promise<void> {
    this.stopped ??= this.tidy(reason);
    return this.stopped;
  }

  private async tidy(reason: NonNullable<FeedEnd>): Promise<void> {
    clearInterval(this.copyCheck);
    try {
      await this.endWork();
      if (reason !== 'stopped') this.fail(reason);
      await this.answered;
      if (reason === 'stopped') this.watch.finish();
      this.watch.stop();
      this.feed.close(reason);
      this.witness.stop();
      this.snapshots.stop();
    } finally {
      this.config.stop();
      keepThreads(0);
      removeDaemonFile(this.home.paths.daemon);
      this.home.close();
      if (reason === 'stopped') this.settle?.resolve();
      else this.fail(reason);
    }
  }

  /** Tells those who follow the feed or wait for the end, so that they stop the servers. */
  private fail(reason: Exclude<FeedEnd, 'stopped' | null>): void {
    this.feed.close(reason);
    this.settle?.reject(reason.error);
  }

  /** Ends all work. Runs first, so that the end of each execution is recorded, sent to followers and covered by the witness. */
  private async endWork(): Promise<void> {
    const verifierEnded = this.verifier.stop();
    const othersEnded = Promise.allSettled(this.ends.map((end) => end()));
    const executionsEnded = this.executions.stop('the daemon stopped');
    // All work has been asked to end; work that waits for an agent's restart is refused at once.
    this.orchestrator.stop();
    await this.interrupted.stop();
    for (const id of await executionsEnded) {
      this.options.onWarning(`mission ${id} did not end in time; it can be recovered once this process has ended`);
    }
    await othersEnded;
    await verifierEnded;
    await this.restarts.settled();
  }
}

// What a daemon may record: everything, or only stops while the journal is known to be damaged or config.json is not the signed one.

/** Time between two looks at config.json that no request asks for. */
const config_look_ms = 1_000;
/** The time after a change in which config.json may change again and have the same timestamps, in ms. */
const settled_ms = 1_000;

/** Compares config.json with the configuration that the journal signs: whenever something is recorded or shown, and once a second. */
export class ConfigWatch {
  private readonly timer: NodeJS.Timeout;
  private fault: Refusal | null = null;
  /** What identifies the file and the configuration that were compared last, if they agreed; then they need not be read again. */
  private agreed = '';

  /** @param onChange called with the fault when there is one, and with null when there is none any more */
  constructor(
    private readonly home: Pick<Home, 'db' | 'paths'>,
    private readonly onChange: (fault: Refusal | null) => void,
  ) {
    this.timer = setInterval(this.current, config_look_ms).unref();
  }

  readonly stop = (): void => clearInterval(this.timer);

  readonly status = (): ConfigStatus => {
    const fault = this.current();
    return { valid: fault === null, reason: fault?.detail ?? null };
  };

  /** Returns why config.json is not the signed configuration now, or null. */
  readonly current = (): Refusal | null => {
    const { fault: before } = this;
    try {
      const { db, paths } = this.home;
      const stat = fs.lstatSync(paths.config, { bigint: true, throwIfNoEntry: false });
      // A text that changes with the file and with the signed configuration; empty while the file may change unnoticed.
      const isSettled = stat !== undefined && Number(stat.ctimeMs) + settled_ms < Date.now();
      const look = isSettled ? `${lookOf(stat)} ${configurationVersion(db)}` : '';
      if (look !== '' && look === this.agreed) return null;
      this.fault = configFault(db, paths);
      this.agreed = this.fault === null ? look : '';
    } catch (error) {
      this.fault = unreadable(error);
      this.agreed = '';
    }
    if ((this.fault === null) !== (before === null)) this.onChange(this.fault);
    return this.fault;
  };
}

function unreadable(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  const code = errorCode(error);
  if (code === '') throw error;
  return {
    code: 'integrity',
    detail: `config.json cannot be compared with the signed configuration (${code})`,
    hint: restoreHint,
  };
}

/** The types of events that stop something: they are recorded whatever is damaged. */
export const stops: ReadonlySet<string> = new Set([
  'control.paused',
  'mission.failed',
  'mission.cancelled',
  'simulation.failed',
  'simulation.cancelled',
  'token.revoked',
]);

/** Returns the refusal of what is not a stop, for a fault of config.json. */
export const unsignedConfig = ({ detail, ...fault }: Refusal): Refusal => ({
  ...fault,
  detail: `${detail}; until it is the signed one again, only pauses, failures, cancellations and revocations of tokens are recorded`,
});
