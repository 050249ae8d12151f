/**
 * Evaluates genomes (docs/model.md). A gene a_i in 0 … 1 for each sector; s_i = a_i / max(1, Σa) is its share of the effort.
 * Effort lowers a sector's exposure to X_i = S_i·(1 − s_i/2) and raises its gain at disruption to 0.1·S_i·(1 + s_i).
 *
 * The sector paths are those of the central curve in every draw, so that −F is −Ē + c̄·X̄ with the draw's mean capability c̄ alone
 * changing: its four largest values are those of the four largest c̄, which are found once.
 */
import { exp, log } from '../../base/math.js';
import type { Problem } from '../evolution/problem.js';
import { drawnCapabilities, meanOf, risk_draws, worstMeanCapability } from './draws.js';
import { innovation_gain, type Path, type Scenario } from './scenario.js';

/** The share of a sector's exposure that is left when all effort goes to it. */
const relief = 0.5;
export const objectives = 3;

export type Model = Readonly<ReturnType<typeof modelOf>>;

type Candidate = Readonly<Record<'year' | 'capability' | 'energy', number>>;

/**
 * Returns the years in which a sector may be first disrupted, for exposures from half its entropy to all of it. A year in which
 * even full exposure does not disrupt is left out, as is one that an earlier year always precedes; the margin exceeds the
 * rounding of the test, so that leaving years out never changes the result.
 */
function candidatesOf({ horizon, capability }: Scenario, entropy: number, free: Float64Array): Candidate[] {
  const margin = 1 - 1e-14;
  const found: Candidate[] = [];
  let least = Infinity;
  for (let y = 0; y < horizon; y++) {
    const c = capability[y] as number;
    const energy = free[y] as number;
    if (!(c * entropy > energy) || least <= (energy / c) * margin) continue;
    found.push({ year: y + 1, capability: c, energy });
    least = Math.min(least, energy / c);
    if (c * (entropy * relief) > energy) break;
  }
  return found;
}

export function modelOf(scenario: Scenario, paths: readonly Path[]) {
  const { sectors, horizon, capability } = scenario;
  const width = horizon + 1;
  const sums = new Float64Array(sectors.length * width);
  const free = new Float64Array(sectors.length * width);
  const from = new Int32Array(sectors.length + 1);
  const all: Candidate[] = [];
  for (const [i, path] of paths.entries()) {
    for (let y = 1; y <= horizon; y++) {
      free[i * width + y] = path.free[y - 1] as number;
      sums[i * width + y] = (sums[i * width + y - 1] as number) + (path.free[y - 1] as number);
    }
    for (const candidate of candidatesOf(scenario, sectors[i]?.entropy ?? 0, path.free)) all.push(candidate);
    from[i + 1] = all.length;
  }
  const entropy = Float64Array.from(sectors, (sector) => sector.entropy);
  const model = {
    count: sectors.length,
    horizon,
    entropy,
    /** Mean capability of the central curve, and of the worst draws. */
    meanCapability: meanOf(capability),
    worstCapability: worstMeanCapability(drawnCapabilities(scenario, risk_draws), horizon),
    /** sums[i · (horizon + 1) + y]: the energy of sector i over the years 1 … y if it is never disrupted. */
    sums,
    /** free[i · (horizon + 1) + y]: its energy in year y. */
    free,
    /** The year of disruption without effort, 0 for none, and the energy over all years. */
    baseYear: Int32Array.from(paths, ({ disrupted_year }) => disrupted_year ?? 0),
    baseSum: new Float64Array(sectors.length),
    /** The years in which sector i may be disrupted under some effort: entries from[i] … from[i + 1] of the three lists. */
    from,
    year: Int32Array.from(all, ({ year }) => year),
    capability: Float64Array.from(all, (candidate) => candidate.capability),
    energy: Float64Array.from(all, ({ energy }) => energy),
  };
  for (let i = 0; i < model.count; i++) model.baseSum[i] = energySum(model, i, model.baseYear[i] as number, 0);
  return model;
}

/** Returns the first year in which the exposure disrupts sector i, 0 for none. */
function disruption({ from, year, capability, energy }: Model, i: number, exposure: number): number {
  const end = from[i + 1] as number;
  for (let j = from[i] as number; j < end; j++) {
    if ((capability[j] as number) * exposure > (energy[j] as number)) return year[j] as number;
  }
  return 0;
}

/** Returns the energy of sector i over all years when it is disrupted in `year` (0: never) with the share `s` of the effort. */
function energySum({ horizon, sums, free, entropy }: Model, i: number, year: number, s: number): number {
  const row = i * (horizon + 1);
  if (year === 0) return sums[row + horizon] as number;
  const gain = innovation_gain * (entropy[i] as number) * (1 + s);
  return (sums[row + year - 1] as number) + (horizon - year + 1) * ((free[row + year] as number) + gain);
}

/** Writes −effectiveness, risk and complexity of a genome; all are minimised. */
export function evaluate(model: Model, genes: Float64Array, out: Float64Array): void {
  const { count, horizon, entropy, baseYear, baseSum } = model;
  let total = 0;
  for (let i = 0; i < count; i++) total += genes[i] as number;
  const scale = Math.max(1, total);
  let energy = 0;
  let gained = 0;
  let exposed = 0;
  let relieved = 0;
  let spread = 0;
  for (let i = 0; i < count; i++) {
    const gene = genes[i] as number;
    const s = gene / scale;
    const full = entropy[i] as number;
    const exposure = full * (1 - relief * s);
    const year = disruption(model, i, exposure);
    const sum = energySum(model, i, year, s);
    energy += sum;
    // In the same year the two sums differ only by the gain, which a subtraction of large sums would make inexact.
    const isSame = year === (baseYear[i] as number);
    gained += isSame ? (year === 0 ? 0 : (horizon - year + 1) * innovation_gain * full * s) : sum - (baseSum[i] as number);
    exposed += exposure;
    relieved += full * relief * s;
    if (gene > 0) spread += gene * log(gene);
  }
  const years = horizon * count;
  out[0] = -(gained / years + (model.meanCapability * relieved) / count);
  out[1] = (model.worstCapability * exposed) / count - energy / years;
  out[2] = total > 0 ? exp(log(total) - spread / total) : 0;
}

/** @param alive called after every evaluation */
export const problemOf = (model: Model, alive: () => void = () => undefined): Problem => ({
  lower: new Float64Array(model.count),
  upper: new Float64Array(model.count).fill(1),
  objectives,
  evaluate: (genes, out) => {
    evaluate(model, genes, out);
    alive();
  },
});

/** Returns the objectives of no effort: effectiveness and complexity are 0. */
export function withoutEffort(model: Model): Float64Array {
  const out = new Float64Array(objectives);
  evaluate(model, new Float64Array(model.count), out);
  return out;
}
