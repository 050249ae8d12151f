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
  const edges = pages.map(({ number, flows }) =>
    edgesOf(flows.flat()).map((line) => ({ line, keys: keysOf(line, size, number) })),
  );
  const counts = new Map<string, number>();
  for (const edge of edges)
    for (const key of new Set(edge.flatMap(({ keys }) => keys))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isRunning = (keys: readonly string[]): boolean => keys.some((key) => (counts.get(key) ?? 0) >= running_pages_min);
  let repeated = 0;
  const kept = pages.map(({ number, flows }, i) => {
    const lines = (edges[i] ?? [])
      .filter(({ line, keys }) => isRunning(keys) || isPageNumber(line.text, number))
      .map(({ line }) => line);
    repeated += lines.length;
    const running = new Set(lines);
    return {
      number,
      flows: flows.map((flow): Flow => flow.filter((line) => !running.has(line))).filter((flow) => flow.length > 0),
    };
  });
  return { kept, repeated };
}

/** Returns whether a line only counts the pages, as in `Page 2 of 3`, which is told from a text also where there are few pages. */
function isPageNumber(text: string, page: number): boolean {
  const [, number] =
    /^[-–\s]*(?:page|seite|p\.|s\.)?\s*(\d{1,4})(?:\s*(?:of|von|de|sur|\/)\s*\d{1,4})?[-–\s]*$/i.exec(text) ?? [];
  return Number(number) === page;
}

/**
 * Returns what a line has in common with those of other pages: its text, whatever its numbers, and its height; and, where it begins or ends with the number
 * of the page, how that is counted. Headings such as `Chapter 3` differ by their number.
 */
function keysOf(line: Line, size: number, page: number): readonly string[] {
  const at = Math.round(line.y / 4);
  if (line.size > size) return [`${line.text} ${at}`];
  const [first, last] = [/^\d{1,4}\b/.exec(line.text), /\b\d{1,4}$/.exec(line.text)];
  const counted = [first, last].flatMap((number) => (number === null ? [] : [`page + ${Number(number[0]) - page} ${at}`]));
  return [`${line.text.replace(/\d+/g, '#')} ${at}`, ...counted];
}

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
