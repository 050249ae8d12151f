/**
 * Builds schedules from scratch. Giffler and Thompson (1960): among the operations whose job is ready, take the machine of the
 * one that would end first and let a rule choose between all that could start on it before that end. Every such schedule is
 * active, and some optimal schedule is active. The dispatcher is the plain non-delay kind that serves as the baseline.
 */
import type { Prng } from '../../../base/prng.js';
import { at } from './ints.js';
import type { Shop } from './shop.js';

/** A list of all operations in the order in which they are placed; it respects every job. */
export type LinearOrder = Int32Array;

/** The facts about a candidate that a rule uses. The smallest key wins; ties go to the earlier job of the input. */
export interface Candidate {
  readonly x: number;
  readonly job: number;
  /** Earliest start now. */
  readonly start: number;
  /** Work and operations of the job that are not yet placed, this operation included. */
  readonly work: number;
  readonly operations: number;
}

export type Rule = (candidate: Candidate, shop: Shop) => number;

const mostWork: Rule = (c) => -c.work;
const mostOperations: Rule = (c) => -c.operations;
const shortest: Rule = (c, shop) => at(shop.duration, c.x);
const longest: Rule = (c, shop) => -at(shop.duration, c.x);
const firstCome: Rule = (c) => c.start;

/** Modified due date (Baker and Bertrand 1982); a job without due date or weight is last. */
const modifiedDue: Rule = (c, shop) =>
  at(shop.due, c.job) < 0 || at(shop.weight, c.job) === 0
    ? Number.MAX_SAFE_INTEGER
    : Math.max(at(shop.due, c.job), c.start + c.work);

/** Shortest remaining work relative to its weight. */
const weightedWork: Rule = (c, shop) =>
  at(shop.due, c.job) < 0 || at(shop.weight, c.job) === 0 ? Number.MAX_SAFE_INTEGER : c.work / at(shop.weight, c.job);

/** Slack relative to its weight: urgent and heavy jobs first, jobs with time to spare after them. */
const weightedSlack: Rule = (c, shop) => {
  const weight = at(shop.weight, c.job);
  if (at(shop.due, c.job) < 0 || weight === 0) return Number.MAX_SAFE_INTEGER;
  const slack = at(shop.due, c.job) - c.start - c.work;
  return slack > 0 ? slack / weight : slack * weight;
};

export const rulesFor = (shop: Shop): readonly Rule[] =>
  shop.objective === 'makespan'
    ? [mostWork, mostOperations, firstCome, shortest, longest]
    : [modifiedDue, weightedSlack, weightedWork, firstCome, shortest, mostWork];

export const randomRule =
  (random: Prng): Rule =>
  () =>
    random.uint32();

/** The progress of each job while a schedule is built. */
class Front {
  readonly order: Int32Array;
  placed = 0;
  /** The next operation of each job, the time from which it is ready, and the work left. */
  private readonly upcoming: Int32Array;
  private readonly ready: Int32Array;
  private readonly work: Int32Array;
  private readonly free: Int32Array;

  constructor(readonly shop: Shop) {
    this.order = new Int32Array(shop.operations);
    this.upcoming = shop.first.slice(0, shop.jobs);
    this.ready = shop.release.slice();
    this.free = new Int32Array(shop.machines);
    this.work = new Int32Array(shop.jobs);
    for (let x = 0; x < shop.operations; x++) {
      const j = at(shop.jobOf, x);
      this.work[j] = at(this.work, j) + at(shop.duration, x);
    }
  }

  isDone(job: number): boolean {
    return at(this.upcoming, job) === at(this.shop.first, job + 1);
  }

  operation(job: number): number {
    return at(this.upcoming, job);
  }

  start(job: number): number {
    return Math.max(at(this.ready, job), at(this.free, at(this.shop.machineOf, at(this.upcoming, job))));
  }

  candidate(job: number): Candidate {
    const x = at(this.upcoming, job);
    const operations = at(this.shop.first, job + 1) - x;
    return { x, job, start: this.start(job), work: at(this.work, job), operations };
  }

  place(job: number): void {
    const x = at(this.upcoming, job);
    const duration = at(this.shop.duration, x);
    const end = this.start(job) + duration;
    this.order[this.placed++] = x;
    this.ready[job] = end;
    this.free[at(this.shop.machineOf, x)] = end;
    this.work[job] = at(this.work, job) - duration;
    this.upcoming[job] = x + 1;
  }
}

/** The number of placements between two calls of `beat` in a construction: about a millisecond for 200 jobs. */
const beat_placements = 256;

/** Returns a schedule that places one job's next operation after the other. `beat` is called at regular steps and may throw to stop. */
function build(shop: Shop, choose: (front: Front) => number, beat: () => void = () => {}): LinearOrder {
  const front = new Front(shop);
  while (front.placed < shop.operations) {
    if (front.placed % beat_placements === 0) beat();
    front.place(choose(front));
  }
  return front.order;
}

/** Returns an active schedule by `rule`. */
export const activeOrder = (shop: Shop, rule: Rule, beat?: () => void): LinearOrder =>
  build(shop, (front) => activeChoice(front, rule), beat);

function activeChoice(front: Front, rule: Rule): number {
  const { shop } = front;
  let firstEnd = Number.MAX_SAFE_INTEGER;
  let machine = 0;
  for (let j = 0; j < shop.jobs; j++) {
    if (front.isDone(j)) continue;
    const end = front.start(j) + at(shop.duration, front.operation(j));
    if (end < firstEnd) {
      firstEnd = end;
      machine = at(shop.machineOf, front.operation(j));
    }
  }
  let best = -1;
  let bestKey = 0;
  for (let j = 0; j < shop.jobs; j++) {
    if (front.isDone(j) || at(shop.machineOf, front.operation(j)) !== machine || front.start(j) >= firstEnd) continue;
    const key = rule(front.candidate(j), shop);
    if (best < 0 || key < bestKey) {
      best = j;
      bestKey = key;
    }
  }
  return best;
}

/**
 * The baseline, which never lets a machine wait. Each step starts the operation that can start first; a tie goes to the job with
 * the most work left (makespan) or the earliest due date (weighted tardiness; none counts as last), then to the earlier job.
 */
export const dispatchOrder = (shop: Shop, beat?: () => void): LinearOrder => build(shop, dispatchChoice, beat);

function dispatchChoice(front: Front): number {
  const { shop } = front;
  let best = -1;
  let bestStart = 0;
  let bestKey = 0;
  for (let j = 0; j < shop.jobs; j++) {
    if (front.isDone(j)) continue;
    const { start, work } = front.candidate(j);
    if (best >= 0 && start > bestStart) continue;
    const due = at(shop.due, j) < 0 ? Number.MAX_SAFE_INTEGER : at(shop.due, j);
    const key = shop.objective === 'makespan' ? -work : due;
    if (best < 0 || start < bestStart || key < bestKey) {
      best = j;
      bestStart = start;
      bestKey = key;
    }
  }
  return best;
}
