/**
 * NSGA-II (Deb, Pratap, Agarwal and Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE Trans. Evol.
 * Comput. 6, 2002), step by step: `initialise` or `restore`, then `step` for each generation. The caller passes the random
 * stream, one for each island and epoch, so that islands may be stepped on any thread in any order. Two departures from the paper
 * keep more of the front: copies count as crowded (`measureCrowd`), and crowding is measured again after each removal while a
 * front is thinned (`thinOut`).
 */
import type { Prng } from '../../base/prng.js';
import { measureCrowd, newCrowd, thinOut } from './crowding.js';
import { newFronts, rankFronts } from './fronts.js';
import type { Population, Problem, Settings } from './problem.js';
import { cross, draw, mutate, newVariation } from './variation.js';

// Chooses parents by binary tournament on rank and crowding distance.

/** Scratch space for one population of `size`. */
type Mating = Readonly<ReturnType<typeof newMating>>;

export function newMating(size: number) {
  const parents = size + (size % 2);
  return {
    size,
    /** The winners, two for each pair of children: one more than `size` if that is odd. */
    parents: new Int32Array(parents),
    /** The contenders, two for each parent. */
    contenders: new Int32Array(2 * parents),
    order: new Int32Array(size),
  };
}

const two_minus32 = 1 / 4_294_967_296;

/**
 * Fills `parents` with the winners of tournaments between neighbours in random orders of the individuals: if their number is
 * even, each takes part exactly twice, as in the authors' program.
 */
export function drawParents(mating: Mating, rank: Int32Array, crowding: Float64Array, random: Prng): void {
  const { size, contenders, order } = mating;
  // In an order of an odd number, the last one has no opponent.
  const paired = size - (size % 2);
  for (let from = 0; from < contenders.length; from += paired) {
    shuffle(order, random);
    contenders.set(order.subarray(0, Math.min(paired, contenders.length - from)), from);
  }
  decide(mating, rank, crowding);
}

/**
 * Writes a random order of 0 … n − 1 (Fisher and Yates). Draws by multiplication; their bias, n·2^-32, is too small to measure.
 */
function shuffle(order: Int32Array, random: Prng): void {
  for (let i = 0; i < order.length; i++) {
    const k = Math.floor(random.uint32() * (i + 1) * two_minus32);
    order[i] = order[k] as number;
    order[k] = i;
  }
}

/** Decides a tournament: a smaller rank wins, then a larger distance, then the one that was drawn first. */
function decide({ parents, contenders }: Mating, rank: Int32Array, crowding: Float64Array): void {
  for (let i = 0; i < parents.length; i++) {
    const a = contenders[2 * i] as number;
    const b = contenders[2 * i + 1] as number;
    const difference = (rank[b] as number) - (rank[a] as number);
    const isSecond = difference < 0 || (difference === 0 && (crowding[b] as number) > (crowding[a] as number));
    parents[i] = isSecond ? b : a;
  }
}

/** One population. Rows 0 … size − 1 of `union` are its individuals; the rows after them hold offspring or immigrants. */
export type Evolution = Readonly<ReturnType<typeof newEvolution>>;

export function newEvolution(problem: Problem, settings: Settings) {
  const [n, m, size] = [problem.lower.length, problem.objectives, settings.population];
  // Children come in pairs: an odd population leaves one child too many, which is not evaluated.
  const rows = 2 * size + 1;
  const fronts = newFronts(rows, m);
  return {
    problem,
    size,
    union: {
      variables: new Float64Array(rows * n),
      objectives: new Float64Array(rows * m),
      rank: fronts.rank,
      crowding: new Float64Array(rows),
    },
    fronts,
    variation: newVariation(problem.lower, problem.upper, settings),
    mating: newMating(size),
    isKept: new Uint8Array(rows),
    crowd: newCrowd(rows, m),
    /** The arrays that `evaluate` reads and writes. */
    x: new Float64Array(n),
    out: new Float64Array(m),
  };
}

/** Sets the first generation, uniform within the bounds. */
export function initialise(evolution: Evolution, random: Prng): void {
  const { problem, size, union, variation } = evolution;
  const { lower, upper } = problem;
  const n = lower.length;
  for (let i = 0; i < size; i++) {
    draw(variation, n, random);
    for (let k = 0; k < n; k++) {
      const low = lower[k] as number;
      const high = upper[k] as number;
      const drawn = low + (variation.draws[k] as number) * (high - low);
      union.variables[i * n + k] = Math.min(Math.max(drawn, low), high);
    }
  }
  evaluateRows(evolution, 0, size);
  select(evolution, size);
}

/** Continues from a `snapshot`, bit for bit. @throws RangeError for a population of another size */
export function restore({ problem, size, union }: Evolution, population: Population): void {
  const [n, m] = [problem.lower.length, problem.objectives];
  const { variables, objectives, rank, crowding } = population;
  const isFitting = variables.length === size * n && objectives.length === size * m;
  if (!isFitting || rank.length !== size || crowding.length !== size) throw new RangeError('the population does not fit');
  union.variables.set(variables);
  union.objectives.set(objectives);
  union.rank.set(rank);
  union.crowding.set(crowding);
}

/** Evolves one generation: as many children as parents, and the best of both. */
export function step(evolution: Evolution, random: Prng): void {
  const { size, union, variation, mating } = evolution;
  drawParents(mating, union.rank, union.crowding, random);
  cross(variation, union.variables, mating.parents, size, random);
  mutate(variation, union.variables, size, 2 * size, random);
  evaluateRows(evolution, size, 2 * size);
  select(evolution, 2 * size);
}

/**
 * Admits immigrants (rows of variables with their objectives, at most as many as individuals), which compete with the population
 * for places.
 * @throws RangeError when they do not fit or an objective is not finite
 */
export function admit(evolution: Evolution, { variables, objectives }: Pick<Population, 'variables' | 'objectives'>): void {
  const { problem, size, union } = evolution;
  const [n, m] = [problem.lower.length, problem.objectives];
  const count = variables.length / n;
  if (!Number.isInteger(count) || count > size || objectives.length !== count * m) throw new RangeError('immigrants do not fit');
  if (objectives.some((value) => value - value !== 0)) throw new RangeError('an objective is not finite');
  union.variables.set(variables, size * n);
  union.objectives.set(objectives, size * m);
  select(evolution, size + count);
}

/** Returns a copy of the population, in the order of its places. */
export const snapshot = ({ problem, size, union }: Evolution): Population => ({
  variables: union.variables.slice(0, size * problem.lower.length),
  objectives: union.objectives.slice(0, size * problem.objectives),
  rank: union.rank.slice(0, size),
  crowding: union.crowding.slice(0, size),
});

/** @throws RangeError when an objective is not finite */
function evaluateRows({ problem, union, x, out }: Evolution, from: number, to: number): void {
  const n = x.length;
  const m = out.length;
  for (let i = from; i < to; i++) {
    for (let k = 0; k < n; k++) x[k] = union.variables[i * n + k] as number;
    problem.evaluate(x, out);
    for (let k = 0; k < m; k++) {
      const value = out[k] as number;
      if (!(value - value === 0)) throw new RangeError(`objective ${k} is not finite`);
      union.objectives[i * m + k] = value;
    }
  }
}

/**
 * (μ + λ) selection among the first `total` rows: takes whole fronts while they fit, then the least crowded members of the next
 * one. Copies of a member are dropped first, and among equally crowded members the one with the largest index, so that parents
 * stay.
 */
function select(evolution: Evolution, total: number): void {
  const { problem, size, union, fronts, crowd, isKept } = evolution;
  const m = problem.objectives;
  rankFronts(fronts, union.objectives, total, m);
  isKept.fill(0, 0, total);
  for (let front = 0; (fronts.start[front] as number) < size; front++) {
    measureCrowd(crowd, fronts, front, union.objectives, m, union.crowding);
    const from = fronts.start[front] as number;
    const to = fronts.start[front + 1] as number;
    if (to <= size) {
      mark(isKept, fronts.members, from, to);
      continue;
    }
    const room = size - from;
    if (crowd.size > room) thinOut(crowd, union.objectives, m, union.crowding, room);
    else keepCopies(evolution, front, room - crowd.size);
    mark(isKept, crowd.list, 0, crowd.size);
  }
  moveKept(evolution, total);
}

function mark(isKept: Uint8Array, list: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) isKept[list[i] as number] = 1;
}

/** Keeps the first `room` copies of a front, by index. */
function keepCopies({ fronts, isKept }: Evolution, front: number, room: number): void {
  let left = room;
  for (let i = 0; left > 0; i++) {
    if (fronts.isCopy[i] === 0 || fronts.rank[i] !== front) continue;
    isKept[i] = 1;
    left--;
  }
}

/** Moves kept rows beyond the population to the places of the individuals that were not kept, both in order of index. */
function moveKept({ problem, size, union, isKept }: Evolution, total: number): void {
  const n = problem.lower.length;
  const m = problem.objectives;
  let hole = 0;
  for (let i = size; i < total; i++) {
    if (isKept[i] === 0) continue;
    while (isKept[hole] === 1) hole++;
    for (let k = 0; k < n; k++) union.variables[hole * n + k] = union.variables[i * n + k] as number;
    for (let k = 0; k < m; k++) union.objectives[hole * m + k] = union.objectives[i * m + k] as number;
    union.rank[hole] = union.rank[i] as number;
    union.crowding[hole] = union.crowding[i] as number;
    hole++;
  }
}
