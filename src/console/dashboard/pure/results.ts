/** What pictures and tables need of a run's results. */
import type { InsightEntry } from '../../../codec/api-simulation.js';
import type { SectorPath } from '../../../codec/simulation-results.js';

export interface Disruption {
  readonly year: number;
  /** How many sectors it newly disrupts. */
  readonly count: number;
}

/** The years in which sectors are disrupted, in order. */
export const disruptionsOf = (forecast: readonly { readonly year: number; readonly affected: number }[]): readonly Disruption[] =>
  forecast.flatMap(({ year, affected }, i) => {
    const count = affected - (forecast[i - 1]?.affected ?? 0);
    return count > 0 ? [{ year, count }] : [];
  });

export type Path = Pick<SectorPath, 'name' | 'disrupted_year' | 'energy'>;

/** Returns a name as it is shown: one without visible characters is put in quotation marks. */
export const shownName = (name: string): string => (/[^\s\p{C}\p{Z}]/u.test(name) ? name : `“${name}”`);

export type Envelope = Readonly<ReturnType<typeof envelopeOf>>;

/** Returns, for each year, the energies below which 10, 50 and 90 % of the sectors lie (nearest rank). */
export function envelopeOf(paths: readonly Path[]) {
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
  const found = paths.flatMap((path, place) => (path.name.toLowerCase().includes(wanted) ? [{ path, place }] : []));
  const ordered = order === 'given' ? found : found.toSorted((a, b) => comparers[order](a.path, b.path));
  return ordered.map(({ place }) => place);
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

/**
 * Returns what an individual's genes mean: each sector's share of the effort to adapt, s_i = a_i / max(1, Σ a) (docs/model.md). These are the
 * `count` largest, the earlier sector first where two are equal; sectors without effort are never among them, nor among the others. The total is
 * what is spent in all: at most one.
 */
export function topShares(genome: readonly number[], count: number) {
  const asked = genome.reduce((sum, gene) => sum + gene, 0);
  const engaged = genome
    .map((gene, index) => ({ index, share: gene / Math.max(1, asked) }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share || a.index - b.index);
  const sum = (shares: typeof engaged): number => shares.reduce((all, { share }) => all + share, 0);
  const rest = engaged.slice(count);
  return { top: engaged.slice(0, count), others: rest.length, othersShare: sum(rest), total: sum(engaged) };
}

/** Years of an insight that the same number of runs reaches: a mean over other runs is another line. */
export type Segment = { readonly runs: number; readonly entries: readonly InsightEntry[] };

/** Returns the segments in the order of their years. The first has the years that all runs share. */
export function segmentsOf(entries: readonly InsightEntry[]): readonly Segment[] {
  const segments: { readonly runs: number; readonly entries: InsightEntry[] }[] = [];
  for (const entry of entries) {
    const last = segments.at(-1);
    if (last?.runs === entry.runs) last.entries.push(entry);
    else segments.push({ runs: entry.runs, entries: [entry] });
  }
  return segments;
}

/** The pages of a long table. */
export interface Page<A> {
  readonly items: readonly A[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  /** Place of the first item in the whole, from 0. */
  readonly from: number;
  /** How many items the whole has. */
  readonly count: number;
}

/** One page of a list; a page beyond the end is the last one. */
export function pageOf<A>(all: readonly A[], wanted: number, size: number): Page<A> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(0, wanted), pages - 1);
  return { items: all.slice(page * size, (page + 1) * size), page, pages, from: page * size, count: all.length };
}
