/** What an individual's genes mean: each sector's share of the effort to adapt (docs/model.md). */

interface SectorShare {
  /** Place among the sectors, from 0. */
  readonly index: number;
  readonly share: number;
}

interface TopShares {
  readonly top: readonly SectorShare[];
  /** Sectors with some effort that are not among the top. */
  readonly others: number;
  readonly othersShare: number;
  /** What is spent in all: at most one. */
  readonly total: number;
}

/** s_i = a_i / max(1, Σ a). */
export function sharesOf(genome: readonly number[]): number[] {
  const total = genome.reduce((sum, gene) => sum + gene, 0);
  return genome.map((gene) => gene / Math.max(1, total));
}

/** The `count` largest shares, the earlier sector first where two are equal; sectors without effort are never among them. */
export function topShares(genome: readonly number[], count: number): TopShares {
  const engaged = sharesOf(genome)
    .map((share, index) => ({ index, share }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share || a.index - b.index);
  const sum = (shares: readonly SectorShare[]): number => shares.reduce((all, { share }) => all + share, 0);
  const rest = engaged.slice(count);
  return { top: engaged.slice(0, count), others: rest.length, othersShare: sum(rest), total: sum(engaged) };
}
