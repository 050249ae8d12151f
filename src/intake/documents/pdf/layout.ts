/**
 * The lines of a page in the order in which they are read. A PDF says only which letters are where: lines, words and columns are found from their
 * places. Lengths are in points; y grows downwards.
 */
import { raised } from '../../cells/fold.js';

/** Letters in a row, as the page draws them. */
export interface Fragment {
  readonly text: string;
  readonly x: number;
  /** The place of the baseline. */
  readonly y: number;
  readonly width: number;
  /** The size of the font. */
  readonly size: number;
}

export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
}

/** Lines that are read one below the other. */
export type Flow = readonly Line[];

interface Segment extends Line {
  readonly fragments: readonly Fragment[];
}

/** Returns the lines of a page, one flow for each column and each part without columns. */
export function flowsOf(fragments: readonly Fragment[]): readonly Flow[] {
  const segments = withRaised(rowsOf(fragments).flatMap(split));
  return inOrder(segments, 0).map(lines);
}

/** Returns the left and the right edge of lines. A page may have more of them than a call may have arguments. */
export const extentOf = (lines: readonly Pick<Line, 'left' | 'right'>[]): Pick<Line, 'left' | 'right'> =>
  lines.reduce((all, { left, right }) => ({ left: Math.min(all.left, left), right: Math.max(all.right, right) }), {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
  });

const ascending =
  <K extends string>(key: K) =>
  (a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>): number =>
    a[key] - b[key];

/** Parts of the font's size: how far baselines of one line differ, and the gaps that part two words and two columns. */
const [same_line, word_gap, column_gap] = [0.3, 0.14, 1];

/** Small letters are at most this part of the size of those beside them. */
const small_size = 0.8;

/** Returns what is on a page by its baseline. */
function rowsOf<A extends Pick<Line, 'y' | 'size'>>(all: readonly A[]): readonly (readonly A[])[] {
  const rows: A[][] = [];
  for (const each of [...all].sort(ascending('y'))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (first !== undefined && each.y - first.y <= same_line * Math.min(first.size, each.size)) row?.push(each);
    else rows.push([each]);
  }
  return rows;
}

/** Cuts a row where a gap may part two columns. */
function split(row: readonly Fragment[]): readonly Segment[] {
  const segments: Fragment[][] = [];
  let end = 0;
  for (const fragment of [...row].sort(ascending('x'))) {
    const last = segments.at(-1);
    if (last === undefined || fragment.x - end > column_gap * fragment.size) segments.push([fragment]);
    else last.push(fragment);
    end = Math.max(last === undefined ? 0 : end, fragment.x + fragment.width);
  }
  return segments.map(segmentOf);
}

function segmentOf(fragments: readonly Fragment[]): Segment {
  const inOrder = [...fragments].sort(ascending('x'));
  const main = inOrder.reduce((most, each) => (weight(each) > weight(most) ? each : most));
  let text = '';
  let end = Number.POSITIVE_INFINITY;
  for (const each of inOrder) {
    const isRaised = /\d$/.test(text) && each.size <= small_size * main.size && each.y < main.y - 0.1 * main.size;
    const own = isRaised ? raised(each.text) : each.text;
    text += each.x - end > word_gap * Math.min(each.size, main.size) && !/\s$/.test(text) ? ` ${own}` : own;
    end = each.x + each.width;
  }
  const right = inOrder.reduce((most, { x, width }) => Math.max(most, x + width), Number.NEGATIVE_INFINITY);
  return { text, left: inOrder[0]?.x ?? 0, right, y: main.y, size: main.size, fragments: inOrder };
}

const weight = ({ text, size }: Fragment): number => text.trim().length * size;

/** Puts small letters above or below the line, such as the number of a note, into the line that they stand beside. */
function withRaised(segments: readonly Segment[]): readonly Segment[] {
  const sorted = [...segments].sort(ascending('y'));
  const hosts = new Map<Segment, Segment[]>();
  const raised = new Set<Segment>();
  for (const [i, small] of sorted.entries()) {
    const near = sorted.slice(Math.max(0, i - 8), i + 9);
    const host = near.find(
      (line) =>
        small.size <= small_size * line.size &&
        Math.abs(small.y - line.y) <= 0.6 * line.size &&
        Math.max(small.left, line.left) - Math.min(small.right, line.right) <= 0.4 * line.size,
    );
    if (host === undefined) continue;
    raised.add(small);
    hosts.set(host, [...(hosts.get(host) ?? []), small]);
  }
  return sorted
    .filter((segment) => !raised.has(segment))
    .map((segment) => {
      const all = hosts.get(segment);
      return all === undefined ? segment : segmentOf([segment, ...all].flatMap(({ fragments }) => fragments));
    });
}

/** A column has at least so many lines, each side of a gap; its lines are at least this part of the width of all. */
const [column_lines_min, column_width_min] = [3, 0.18];
/** More columns beside each other than any page has. */
const column_depth_max = 4;

/** Returns the segments in parts: those of a column after those of the column to its left. */
function inOrder(segments: readonly Segment[], depth: number): readonly (readonly Segment[])[] {
  const gap = depth > column_depth_max ? null : gapOf(segments);
  if (gap === null) return segments.length === 0 ? [] : [segments];
  return bandsOf(segments, gap).flatMap(({ across, left, right }) =>
    across.length > 0 ? [across] : [...inOrder(left, depth + 1), ...inOrder(right, depth + 1)],
  );
}

interface Band {
  /** The segments of a part that is not cut; the other two are empty then. */
  readonly across: readonly Segment[];
  readonly left: readonly Segment[];
  readonly right: readonly Segment[];
}

/** Returns where most lines are in columns on both sides: the left edge of the right one; null for a page of one column. */
function gapOf(segments: readonly Segment[]): number | null {
  const edges = new Map<number, number>();
  for (const { left } of segments) edges.set(Math.round(left), (edges.get(Math.round(left)) ?? 0) + 1);
  const candidates = [...edges]
    .filter(([, count]) => count >= column_lines_min)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12);
  let best: { readonly gap: number; readonly count: number } | null = null;
  for (const [edge] of candidates) {
    const gap = edge - 1;
    const count = bandsOf(segments, gap).reduce((sum, { left, right }) => sum + left.length + right.length, 0);
    if (count > (best?.count ?? 0)) best = { gap, count };
  }
  return best?.gap ?? null;
}

/** Cuts a page at the lines that cross a gap. Between them are two columns, where both have lines enough, else lines as across the page. */
function bandsOf(segments: readonly Segment[], gap: number): readonly Band[] {
  const extent = extentOf(segments);
  const width = extent.right - extent.left;
  const bands: Band[] = [];
  let [across, left, right]: [Segment[], Segment[], Segment[]] = [[], [], []];
  const endColumns = (): void => {
    if (hasColumns(left, right, width)) {
      if (across.length > 0) bands.push({ across, left: [], right: [] });
      bands.push({ across: [], left, right });
      across = [];
    } else across = [...across, ...[...left, ...right].sort(ascending('y'))];
    [left, right] = [[], []];
  };
  for (const segment of segments) {
    if (segment.left >= gap) right.push(segment);
    else if (segment.right <= gap) left.push(segment);
    else {
      endColumns();
      across.push(segment);
    }
  }
  endColumns();
  return across.length > 0 ? [...bands, { across, left: [], right: [] }] : bands;
}

/** The cells of a table are short; the lines of a column are not. */
function hasColumns(left: readonly Segment[], right: readonly Segment[], width: number): boolean {
  const isColumn = (side: readonly Segment[]): boolean =>
    side.length >= column_lines_min && median(side.map((segment) => segment.right - segment.left)) >= column_width_min * width;
  return isColumn(left) && isColumn(right);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Joins the segments of each line again that no columns part. */
const lines = (segments: readonly Segment[]): Flow =>
  rowsOf(segments).map((row) => {
    const { text, left, right, y, size } = segmentOf(row.flatMap(({ fragments }) => fragments));
    return { text, left, right, y, size };
  });
