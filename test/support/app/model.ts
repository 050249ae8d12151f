/**
 * The life of missions as a small machine, written from the specification's tables: states and transitions, lease rules, pause, and
 * what each refusal is called. It knows nothing of the program.
 */
export type State = 'queued' | 'running' | 'review' | 'completed' | 'rejected' | 'failed';

export interface ModelMission {
  readonly input: number;
  readonly state: State;
  readonly attempt: number;
  /** Whether a process works on it, while running. */
  readonly owned: boolean;
  readonly error: string | null;
  readonly erased: boolean;
}

/** What happens while a mission is worked on. `is killed`: its process is gone without a word. `hangs`: its process lives and never ends. */
export type Work = 'answers' | 'is paused' | 'is configured' | 'takes too long' | 'dies' | 'is cancelled' | 'is killed' | 'hangs';

/** Inputs from this number on are stored where they can be erased. */
export const erasable_from = 2;

export class Model {
  paused = false;
  /** Which configuration is in force. */
  config = 0;
  now: number;
  /** Entries of the journal: the beginning is the first. */
  entries = 1;
  readonly missions = new Map<string, ModelMission>();

  constructor(
    now: number,
    readonly executing_max: number,
  ) {
    this.now = now;
  }

  private change(id: string, changes: Partial<ModelMission>, entries = 1): string {
    const mission = this.missions.get(id);
    if (mission === undefined) throw new Error('no such mission');
    this.missions.set(id, { ...mission, ...changes });
    this.entries += entries;
    return 'done';
  }

  private isLive({ state, owned }: ModelMission): boolean {
    return state === 'running' && owned;
  }

  /**
   * Fails the missions whose process is gone; returns whether this one was among them. Execute and recover do this first, and cancel for its own
   * mission alone.
   */
  private failInterrupted(asked: string, isAlone = false): boolean {
    const gone = [...this.missions]
      .filter(([id, { state, owned }]) => state === 'running' && !owned && (!isAlone || id === asked))
      .map(([id]) => id);
    for (const id of gone) this.change(id, { state: 'failed', error: 'interrupted' });
    return gone.includes(asked);
  }

  run(id: string, input: number): string {
    const known = this.missions.get(id);
    if (known !== undefined) return known.input === input ? 'done' : 'request_id_reused';
    this.missions.set(id, { input, state: 'queued', attempt: 1, owned: false, error: null, erased: false });
    this.entries++;
    return 'done';
  }

  /** The refusal of a lease, or null. */
  refusesLease(id: string): string | null {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.paused) return 'paused';
    if (this.isLive(mission)) return 'lease_active';
    if (mission.state !== 'queued') return 'wrong_state';
    const others = [...this.missions.values()].filter((other) => this.isLive(other));
    return others.length >= this.executing_max ? 'in_use' : null;
  }

  /** Lease, two stages before the work; five after a result, then the outcome. */
  execute(id: string, work: Work): string {
    if (this.missions.has(id)) this.failInterrupted(id);
    const refusal = this.refusesLease(id);
    if (refusal !== null) return refusal;
    const fails = (error: string, code: string, more = 0): string => {
      this.change(id, { state: 'failed', error }, 4 + more);
      return code;
    };
    this.change(id, { state: 'running', owned: work === 'hangs', error: null }, 0);
    switch (work) {
      case 'answers':
        return this.change(id, { state: 'review' }, 9);
      case 'is paused':
        this.paused = true;
        return fails('paused', 'paused', 1);
      case 'is configured':
        this.config++;
        return fails('configuration_changed', 'conflict', 3);
      case 'takes too long':
        return fails('timeout', 'execution_failed');
      case 'dies':
        return fails('execution_failed', 'execution_failed');
      case 'is cancelled':
        return fails('cancelled', 'wrong_state');
      case 'is killed':
      case 'hangs':
        return this.change(id, {}, 3);
    }
  }

  review(id: string, approve: boolean, wrong: 'nothing' | 'revision' | 'hash'): string {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.paused) return 'paused';
    if (wrong === 'revision') return 'stale_revision';
    if (mission.state !== 'review') return 'wrong_state';
    if (wrong === 'hash') return 'hash_mismatch';
    return this.change(id, { state: approve ? 'completed' : 'rejected' });
  }

  recover(id: string): string {
    if (this.missions.has(id)) this.failInterrupted(id);
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.paused) return 'paused';
    if (this.isLive(mission)) return 'lease_active';
    if (mission.state !== 'failed' || mission.erased) return 'wrong_state';
    return this.change(id, { state: 'queued', attempt: mission.attempt + 1, error: null });
  }

  cancel(id: string): string {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.failInterrupted(id, true)) return 'done';
    if (this.paused && mission.state !== 'queued') return 'paused';
    if (mission.state !== 'queued' && mission.state !== 'running') return 'wrong_state';
    return this.change(id, { state: 'failed', error: 'cancelled' });
  }

  erase(id: string): string {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    const isOver = mission.state === 'completed' || mission.state === 'rejected' || mission.state === 'failed';
    if (!isOver || mission.erased || mission.input < erasable_from) return 'wrong_state';
    return this.change(id, { erased: true });
  }

  control(paused: boolean): string {
    if (this.paused !== paused) this.entries++;
    this.paused = paused;
    return 'done';
  }

  configure(): string {
    if (!this.paused) return 'not_paused';
    this.config++;
    this.entries++;
    return 'done';
  }
}
