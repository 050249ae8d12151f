/** What a daemon records beside its requests: missions that were interrupted, restarts of agents, and the newest checkpoint in the witness files. */
import { messageOf, type Refusal } from '../../base/refusal.js';
import { interrupted_search_ms } from '../../base/limits.js';
import { type Role, roles } from '../../codec/roles.js';
import { agentStream } from '../../domain/stream.js';
import { tail_entries_max } from '../../state/build.js';
import { readEvents } from '../../tables/read.js';
import type { Home } from '../home/home.js';
import { failInterrupted, interruptedWarning } from '../missions/record.js';
import type { AgentRestart } from '../orchestrator/orchestrator.js';
import type { ExecutionsOptions } from './executions.js';

export interface InterruptedOptions extends Pick<ExecutionsOptions, 'onWarning' | 'raise'> {
  /** The time between two searches for missions whose process has ended, in ms. */
  readonly interrupted_search_ms?: number | undefined;
}

/** A search rests this many times as long as it took: in a damaged home it reads every mission, entry by entry. */
const rest_factor = 20;

export class InterruptedSearch {
  private readonly timer: NodeJS.Timeout;
  private rested_ms = 0;
  private searching: Promise<void> | null = null;
  private isStopped = false;
  private lastFailure: string | null = null;

  constructor(
    private readonly home: Home,
    private readonly options: InterruptedOptions,
  ) {
    const look = (): void => void (performance.now() >= this.rested_ms && this.search());
    this.timer = setInterval(look, options.interrupted_search_ms ?? interrupted_search_ms).unref();
  }

  /** Searches, unless a search is going on; resolves when it has ended. Each mission that is found is a warning. */
  search(): Promise<void> {
    this.searching ??= this.find().finally(() => (this.searching = null));
    return this.searching;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.searching;
  }

  private async find(): Promise<void> {
    if (this.isStopped || this.home.unwritable !== null) return;
    const began_ms = performance.now();
    try {
      for (const { id } of await failInterrupted(this.home)) {
        this.options.onWarning(interruptedWarning(id));
        this.options.raise?.({ type: 'mission_interrupted', id });
      }
      this.lastFailure = null;
    } catch (error) {
      const failure = messageOf(error);
      // The search is repeated; a cause that lasts is reported once.
      if (failure !== this.lastFailure)
        this.options.onWarning(`missions that were interrupted could not be recorded (${failure}); this is tried again`);
      this.lastFailure = failure;
    }
    const now_ms = performance.now();
    this.rested_ms = now_ms + rest_factor * (now_ms - began_ms);
  }
}

/** Returns the recorded number of restarts of each agent. @throws RefusalError `integrity` for an altered or a hidden entry */
export const recordedRestarts = ({ db }: Pick<Home, 'db'>): Readonly<Record<Role, number>> =>
  Object.fromEntries(roles.map((role) => [role, readEvents(db, agentStream, role).at(-1)?.document.restarts ?? 0])) as Record<
    Role,
    number
  >;

export class RestartRecorder {
  private readonly recording = new Set<Promise<unknown>>();

  constructor(
    private readonly home: Pick<Home, 'transact'>,
    private readonly onWarning: (message: string) => void,
  ) {}

  /** Records a restart. If that is not possible now, the number in the next event includes it. */
  readonly record = ({ role, restarts, cause, work }: AgentRestart): void => {
    const document = { restarts, cause, work };
    const recorded = this.home
      .transact((tx) => tx.append(agentStream.nameOf(role), { type: 'agent.restarted', document }))
      .catch((error: unknown) => {
        const reason = messageOf(error);
        this.onWarning(`restart ${restarts} of the ${role} agent could not be recorded (${reason})`);
      })
      .finally(() => this.recording.delete(recorded));
    this.recording.add(recorded);
  };

  /** Resolves when nothing is being recorded. */
  readonly settled = async (): Promise<void> => {
    await Promise.all(this.recording);
  };
}

/** Moves the snapshot of the state when enough entries follow it, after the answers of their commands have gone out. */
export class SnapshotKeeper {
  private due: NodeJS.Immediate | null = null;
  private entries = 0;

  constructor(private readonly home: Pick<Home, 'moveSnapshot'>) {}

  /** Takes note of an entry that was recorded. */
  note(): void {
    this.entries++;
    if (this.entries >= tail_entries_max) this.moveSoon();
  }

  private moveSoon(): void {
    this.due ??= setImmediate(() => {
      this.due = null;
      this.entries = 0;
      if (this.home.moveSnapshot()) this.moveSoon();
    });
  }

  stop(): void {
    if (this.due !== null) clearImmediate(this.due);
  }
}

const witness_ms = 1_000;

export class WitnessKeeper {
  private due: NodeJS.Timeout | null = null;
  private warned = '';

  constructor(
    private readonly home: Pick<Home, 'updateWitness'>,
    private readonly onWarning: (message: string) => void,
    /** Called when the witness file contradicts the journal. */
    private readonly onContradiction: (refusal: Refusal) => void,
  ) {}

  /** Schedules an update, because an entry was recorded. */
  note(): void {
    this.due ??= setTimeout(() => {
      this.due = null;
      this.write();
    }, witness_ms);
  }

  stop(): void {
    if (this.due !== null) clearTimeout(this.due);
    this.due = null;
    this.write();
  }

  private write(): void {
    const fault = this.fault();
    if (fault !== '' && fault !== this.warned) this.onWarning(`the witness file cannot be written (${fault})`);
    this.warned = fault;
  }

  /** Updates the witness; returns why it is not up to date, or an empty string. An unreadable journal is one of the reasons. */
  private fault(): string {
    try {
      const fault = this.home.updateWitness() ?? '';
      if (typeof fault === 'string') return fault;
      this.onContradiction(fault);
      return '';
    } catch (error) {
      return messageOf(error);
    }
  }
}
