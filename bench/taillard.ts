/**
 * The job shop generator of Taillard, "Benchmarks for basic scheduling problems", EJOR 64 (1993), 278–285: a multiplicative
 * congruential generator (a = 16807, m = 2^31 − 1) draws durations of 1 to 99, then shuffles each job's machines. Seeds, sizes and
 * best values are those published with it for ta01 to ta05 (15 jobs on 15 machines).
 */
export interface TaillardShop {
  readonly jobs: number;
  readonly machines: number;
  readonly timeSeed: number;
  readonly machineSeed: number;
}

export interface TaillardInstance extends TaillardShop {
  readonly name: string;
  readonly optimum: number;
}

const published = (name: string, timeSeed: number, machineSeed: number, optimum: number): TaillardInstance => ({
  name,
  jobs: 15,
  machines: 15,
  timeSeed,
  machineSeed,
  optimum,
});

export const taillardInstances: readonly TaillardInstance[] = [
  published('ta01', 840612802, 398197754, 1231),
  published('ta02', 1314640371, 386720536, 1244),
  published('ta03', 1227221349, 316176388, 1218),
  published('ta04', 342269428, 1806358582, 1175),
  published('ta05', 1603221416, 1501949241, 1224),
];

const modulus = 2_147_483_647;

/** Uniform integers of [low, high]; Schrage's decomposition keeps every product exact. */
function uniform(seed: number): (low: number, high: number) => number {
  let state = seed;
  return (low, high) => {
    const k = Math.floor(state / 127_773);
    state = 16_807 * (state % 127_773) - k * 2_836;
    if (state < 0) state += modulus;
    return low + Math.floor((state / modulus) * (high - low + 1));
  };
}

/** Rows of machine and duration pairs, machines from 0. */
export function taillardRows({ jobs, machines, timeSeed, machineSeed }: TaillardShop): number[][] {
  const duration = uniform(timeSeed);
  const durations = Array.from({ length: jobs }, () => Array.from({ length: machines }, () => duration(1, 99)));
  const position = uniform(machineSeed);
  return durations.map((times) => {
    const order = Array.from({ length: machines }, (_, m) => m);
    for (let i = 0; i < machines; i++) {
      const k = position(i, machines - 1);
      [order[i], order[k]] = [order[k] ?? 0, order[i] ?? 0];
    }
    return times.flatMap((time, i) => [order[i] ?? 0, time]);
  });
}
