/** Finds the headers and the footers of pages: lines at the top or the bottom that repeat from page to page. */
import { sizeOfText, type Page } from './blocks.js';
import type { Flow, Line } from './layout.js';

/** A line that so many pages have at one place is a header or a footer. */
const running_pages_min = 3;
/** Lines of a header or a footer. */
const running_lines_max = 2;
/** The distance from the text, as a multiple of the size of the letters. */
const gap_min = 1.8;

/** Returns the pages without their headers and footers, and how many lines these were. */
export function withoutRunning(pages: readonly Page[]): { readonly kept: readonly Page[]; readonly repeated: number } {
  const size = sizeOfText(pages);
  const edges = pages.map(({ flows }) => edgesOf(flows.flat()).map((line) => ({ line, key: keyOf(line, size) })));
  const counts = new Map<string, number>();
  for (const edge of edges) for (const key of new Set(edge.map((each) => each.key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  let repeated = 0;
  const kept = pages.map(({ number, flows }, i) => {
    const lines = (edges[i] ?? []).filter(({ key }) => (counts.get(key) ?? 0) >= running_pages_min).map(({ line }) => line);
    repeated += lines.length;
    const running = new Set(lines);
    return {
      number,
      flows: flows.map((flow): Flow => flow.filter((line) => !running.has(line))).filter((flow) => flow.length > 0),
    };
  });
  return { kept, repeated };
}

/** Two lines are the same at about the same height, whatever their numbers; headings such as `Chapter 3` differ by their number. */
const keyOf = (line: Line, size: number): string =>
  `${line.size > size ? line.text : line.text.replace(/\d+/g, '#')} ${Math.round(line.y / 4)}`;

/** Returns the lines above the first gap and below the last one. */
function edgesOf(lines: Flow): readonly Line[] {
  const down = [...lines].sort((a, b) => a.y - b.y);
  return [...new Set([...beforeGap(down), ...beforeGap(down.toReversed())])];
}

function beforeGap(lines: readonly Line[]): readonly Line[] {
  const end = lines.findIndex((line, i) => {
    const next = lines[i + 1];
    return next !== undefined && Math.abs(next.y - line.y) >= gap_min * Math.max(line.size, next.size);
  });
  return end < 0 || end >= running_lines_max ? [] : lines.slice(0, end + 1);
}
