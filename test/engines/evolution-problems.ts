/**
 * The test problems of Zitzler, Deb and Thiele ("Comparison of multiobjective evolutionary algorithms", Evol. Comput. 8, 2000)
 * and DTLZ2 (Deb, Thiele, Laumanns and Zitzler 2002), with their true fronts; and a whole evolution in one call.
 */
import { cos, exp, sin } from '../../src/base/math.js';
import { prng } from '../../src/base/prng.js';
import { initialise, newEvolution, snapshot, step } from '../../src/engines/evolution/evolution.js';
import type { Population, Problem, Settings } from '../../src/engines/evolution/problem.js';

export interface Zdt {
  readonly name: string;
  readonly problem: Problem;
  /** 500 points of the true front, row-major, evenly spaced in the first objective. */
  readonly front: Float64Array;
  /** Least and largest value of each objective on the true front. */
  readonly least: readonly [number, number];
  readonly largest: readonly [number, number];
}

const pi = Math.PI;

function meanOfRest(x: Float64Array): number {
  let sum = 0;
  for (let k = 1; k < x.length; k++) sum += x[k]!;
  return sum / (x.length - 1);
}

function problemOf(n: number, evaluate: Problem['evaluate']): Problem {
  return { lower: new Float64Array(n), upper: new Float64Array(n).fill(1), objectives: 2, evaluate };
}

export const zdt1 = (n = 30): Problem =>
  problemOf(n, (x, out) => {
    const f = x[0]!;
    const g = 1 + 9 * meanOfRest(x);
    out[0] = f;
    out[1] = g * (1 - Math.sqrt(f / g));
  });

const zdt2 = (): Problem =>
  problemOf(30, (x, out) => {
    const f = x[0]!;
    const g = 1 + 9 * meanOfRest(x);
    out[0] = f;
    out[1] = g * (1 - (f / g) * (f / g));
  });

const zdt3 = (): Problem =>
  problemOf(30, (x, out) => {
    const f = x[0]!;
    const g = 1 + 9 * meanOfRest(x);
    out[0] = f;
    out[1] = g * (1 - Math.sqrt(f / g) - (f / g) * sin(10 * pi * f));
  });

function zdt4(): Problem {
  const evaluate: Problem['evaluate'] = (x, out) => {
    const f = x[0]!;
    let g = 1 + 10 * (x.length - 1);
    for (let k = 1; k < x.length; k++) g += x[k]! * x[k]! - 10 * cos(4 * pi * x[k]!);
    out[0] = f;
    out[1] = g * (1 - Math.sqrt(f / g));
  };
  const lower = Float64Array.of(0, -5, -5, -5, -5, -5, -5, -5, -5, -5);
  return { lower, upper: lower.map((low) => (low === 0 ? 1 : 5)), objectives: 2, evaluate };
}

const firstOfZdt6 = (x: number): number => {
  const s = sin(6 * pi * x);
  return 1 - exp(-4 * x) * s * s * s * s * s * s;
};

const zdt6 = (): Problem =>
  problemOf(10, (x, out) => {
    const f = firstOfZdt6(x[0]!);
    const g = 1 + 9 * Math.sqrt(Math.sqrt(meanOfRest(x)));
    out[0] = f;
    out[1] = g * (1 - (f / g) * (f / g));
  });

const points = 500;

/** Points (f, shape(f)) at equal steps of f, those left out that another one dominates; of what is left 500, evenly by place. */
function frontOf(from: number, to: number, steps: number, shape: (f: number) => number): Float64Array {
  const rows: (readonly [number, number])[] = [];
  let least = Infinity;
  for (let i = 0; i < steps; i++) {
    const f = from + ((to - from) * i) / (steps - 1);
    const second = shape(f);
    if (second >= least) continue;
    least = second;
    rows.push([f, second]);
  }
  const places = Array.from({ length: points }, (_, i) => Math.round((i * (rows.length - 1)) / (points - 1)));
  return Float64Array.from(places.flatMap((place) => rows[place]!));
}

function zdt(name: string, problem: Problem, front: Float64Array): Zdt {
  const last = front.length - 2;
  return { name, problem, front, least: [front[0]!, front[last + 1]!], largest: [front[last]!, front[1]!] };
}

/** The least first objective of ZDT6, near x = 0.0815. */
const zdt6_least = 0.2807753191;
const root = (f: number): number => 1 - Math.sqrt(f);
const square = (f: number): number => 1 - f * f;

export const zdts = (): readonly Zdt[] => [
  zdt('ZDT1', zdt1(), frontOf(0, 1, points, root)),
  zdt('ZDT2', zdt2(), frontOf(0, 1, points, square)),
  // The front is five pieces of this curve: many steps, so that 500 of those on it are near to even.
  zdt(
    'ZDT3',
    zdt3(),
    frontOf(0, 1, 100_001, (f) => 1 - Math.sqrt(f) - f * sin(10 * pi * f)),
  ),
  zdt('ZDT4', zdt4(), frontOf(0, 1, points, root)),
  zdt('ZDT6', zdt6(), frontOf(zdt6_least, 1, points, square)),
];

/** Objectives as shares of the true front's extents. */
export const normalised = (objectives: Float64Array, { least, largest }: Zdt): Float64Array =>
  objectives.map((value, i) => {
    const k = (i & 1) as 0 | 1;
    return (value - least[k]) / (largest[k] - least[k]);
  });

/** DTLZ1 with three objectives and seven variables: the true front is the triangle where they sum to ½. */
export function dtlz1(): Problem {
  const evaluate: Problem['evaluate'] = (x, out) => {
    let g = 500;
    for (let k = 2; k < 7; k++) g += 100 * ((x[k]! - 0.5) * (x[k]! - 0.5) - cos(20 * pi * (x[k]! - 0.5)));
    const whole = 0.5 * (1 + g);
    out[0] = whole * x[0]! * x[1]!;
    out[1] = whole * x[0]! * (1 - x[1]!);
    out[2] = whole * (1 - x[0]!);
  };
  return { ...problemOf(7, evaluate), objectives: 3 };
}

/** DTLZ2 with three objectives: the true front is the unit sphere's first octant. */
export function dtlz2(n: number): Problem {
  const evaluate: Problem['evaluate'] = (x, out) => {
    let g = 1;
    for (let k = 2; k < n; k++) g += (x[k]! - 0.5) * (x[k]! - 0.5);
    const [a, b] = [(x[0]! * pi) / 2, (x[1]! * pi) / 2];
    out[0] = g * cos(a) * cos(b);
    out[1] = g * cos(a) * sin(b);
    out[2] = g * sin(a);
  };
  return { ...problemOf(n, evaluate), objectives: 3 };
}

/** The settings of Deb et al. 2002. */
export const settingsFor = ({ lower }: Problem, population: number): Settings => ({
  population,
  crossover_probability: 0.9,
  mutation_probability: 1 / lower.length,
});

export interface Run {
  readonly population: number;
  readonly generations: number;
  readonly seed: number;
  readonly labels?: readonly number[];
}

/** Evolves a population from the one stream prng(seed, ...labels). */
export function evolve(problem: Problem, { population, generations, seed, labels = [] }: Run): Population {
  const evolution = newEvolution(problem, settingsFor(problem, population));
  const random = prng(seed, ...labels);
  initialise(evolution, random);
  for (let generation = 0; generation < generations; generation++) step(evolution, random);
  return snapshot(evolution);
}

/** The convergence metric Υ of Deb et al. 2002, V-B: the mean distance of the rows of two objectives to the nearest point of a front. */
export function convergence(objectives: Float64Array, front: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < objectives.length; i += 2) {
    let nearest = Infinity;
    for (let k = 0; k < front.length; k += 2)
      nearest = Math.min(nearest, Math.hypot(objectives[i]! - front[k]!, objectives[i + 1]! - front[k + 1]!));
    sum += nearest;
  }
  return (2 * sum) / objectives.length;
}
