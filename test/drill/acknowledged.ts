/** What a daemon acknowledged to its clients, and whether its journal has it, once. */
import { entriesOf } from '../support/crash-sandbox.js';

/** The entry that each acknowledged step has in the journal. */
const entryOf = {
  submitted: 'mission.submitted',
  executed: 'mission.produced',
  reviewed: 'mission.completed',
  rejected: 'mission.rejected',
  requested: 'simulation.requested',
} as const;

export type Step = keyof typeof entryOf;

/** An execution may be recorded again after an interruption. */
const once = ['submitted', 'reviewed', 'rejected', 'requested'] as const;

/** The streams of missions are named by their ids, those of runs with a prefix. */
const streamOf = (id: string, step: Step): string => (step === 'requested' ? `@simulation:${id}` : id);

export class Acknowledged {
  private readonly known = new Map<string, readonly Step[]>();

  add(id: string, step: Step): void {
    this.known.set(id, [...(this.known.get(id) ?? []), step]);
  }

  get steps(): number {
    return [...this.known.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Ids of missions or runs that came to a step. */
  idsAt(step: Step): readonly string[] {
    return [...this.known].flatMap(([id, steps]) => (steps.includes(step) ? [id] : []));
  }

  /** Returns how many acknowledged steps the journal lacks, and how many entries it has twice. */
  check(home: string): { readonly lost: number; readonly doubled: number } {
    // As they are before the journal is read, which may be after further steps.
    const known = new Map(this.known);
    const counts = new Map<string, number>();
    for (const { stream, type } of entriesOf(home)) counts.set(`${stream} ${type}`, (counts.get(`${stream} ${type}`) ?? 0) + 1);
    let [lost, doubled] = [0, 0];
    for (const [id, steps] of known) {
      for (const step of steps) if (!counts.has(`${streamOf(id, step)} ${entryOf[step]}`)) lost++;
      for (const step of once) if ((counts.get(`${streamOf(id, step)} ${entryOf[step]}`) ?? 0) > 1) doubled++;
    }
    return { lost, doubled };
  }
}
