/** Years of an insight that the same number of runs reaches: a mean over other runs is another line. */
import type { InsightEntry } from '../../../codec/api-simulation.js';

export interface Segment {
  readonly runs: number;
  readonly entries: readonly InsightEntry[];
}

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
