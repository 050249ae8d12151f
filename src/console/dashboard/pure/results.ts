/** What pictures and tables need of a run's results. */

export interface Disruption {
  readonly year: number;
  /** How many sectors it newly disrupts. */
  readonly count: number;
}

/** The years in which sectors are disrupted, in order. */
export function disruptionsOf(forecast: readonly { readonly year: number; readonly affected: number }[]): readonly Disruption[] {
  return forecast.flatMap(({ year, affected }, i) => {
    const count = affected - (forecast[i - 1]?.affected ?? 0);
    return count > 0 ? [{ year, count }] : [];
  });
}

export interface Path {
  readonly name: string;
  readonly disrupted_year: number | null;
  readonly energy: readonly number[];
}

/** Returns a name as it is shown: one without visible characters is put in quotation marks. */
export const shownName = (name: string): string => (/[^\s\p{C}\p{Z}]/u.test(name) ? name : `“${name}”`);

export interface Envelope {
  readonly p10: readonly number[];
  readonly p50: readonly number[];
  readonly p90: readonly number[];
}

/** Returns, for each year, the energies below which 10, 50 and 90 % of the sectors lie (nearest rank). */
export function envelopeOf(paths: readonly Path[]): Envelope {
  const years = paths[0]?.energy.length ?? 0;
  const out = { p10: [] as number[], p50: [] as number[], p90: [] as number[] };
  const column = new Float64Array(paths.length);
  const rank = (share: number): number => column[Math.max(0, Math.ceil(share * column.length) - 1)] ?? 0;
  for (let year = 0; year < years; year++) {
    for (const [i, { energy }] of paths.entries()) column[i] = energy[year] ?? 0;
    column.sort();
    out.p10.push(rank(0.1));
    out.p50.push(rank(0.5));
    out.p90.push(rank(0.9));
  }
  return out;
}

/** The highest energy of some paths, and of the range of all. */
export function energyMost(paths: readonly Path[], envelope: Envelope | null): number {
  let most = 0;
  for (const values of [...paths.map(({ energy }) => energy), envelope?.p90 ?? []])
    for (const value of values) if (value > most) most = value;
  return most;
}

export const orders = ['given', 'disrupted', 'energy', 'name'] as const;
export type Order = (typeof orders)[number];

const ascending = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

const comparers: Readonly<Record<Exclude<Order, 'given'>, (a: Path, b: Path) => number>> = {
  disrupted: (a, b) => ascending(a.disrupted_year ?? Infinity, b.disrupted_year ?? Infinity),
  energy: (a, b) => ascending(b.energy.at(-1) ?? 0, a.energy.at(-1) ?? 0),
  name: (a, b) => a.name.localeCompare(b.name),
};

/** The places of the sectors whose name holds `find`, in an order; equals stay as given. */
export function arranged(paths: readonly Path[], find: string, order: Order): readonly number[] {
  const wanted = find.trim().toLowerCase();
  const places = paths.flatMap(({ name }, i) => (name.toLowerCase().includes(wanted) ? [i] : []));
  if (order === 'given') return places;
  const compare = comparers[order];
  return places.toSorted((a, b) => {
    const [left, right] = [paths[a], paths[b]];
    return left === undefined || right === undefined ? 0 : compare(left, right);
  });
}

/**
 * The places of at most `most` sectors that show how different they are: of those that go different ways, ordered by disruption, some
 * from the first to the last at even distances.
 */
export function examples(paths: readonly Path[], most: number): readonly number[] {
  const seen = new Set<string>();
  const different = arranged(paths, '', 'disrupted').filter((place) => {
    const { energy = [], disrupted_year = null } = paths[place] ?? {};
    const way = `${String(disrupted_year)} ${String(energy[0])} ${String(energy.at(-1))}`;
    return !seen.has(way) && seen.add(way);
  });
  if (different.length <= most) return different;
  const step = (different.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => different[Math.round(i * step)] ?? 0);
}

/** What is hashed of a results object with genomes: everything but the id, the times and the journal. */
export function outcomeOf(results: unknown): unknown {
  const { engine, forecast, hypervolume, islands, population, request, sectors, seed, warnings } = results as Readonly<
    Record<string, unknown>
  >;
  return { engine, forecast, hypervolume, islands, population, request, sectors, seed, warnings };
}
