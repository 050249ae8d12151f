/** Reads the text of a PDF, page by page. Nothing in it is run, no link is followed and no font is looked for. */
import { getDocumentProxy } from 'unpdf';
import { source_pages_max } from '../../../base/limits.js';
import { RefusalError } from '../../../base/refusal.js';
import type { Outline } from '../outline.js';
import { blocksOf, type Page, sizeOfText } from './blocks.js';
import { type Flow, flowsOf, type Fragment, type Line } from './layout.js';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** Returns the blocks of a PDF. @throws RefusalError `invalid` for one that is encrypted, damaged, too long or without text */
export async function readPdf(bytes: Uint8Array) {
  const pdf = await opened(bytes);
  try {
    if (pdf.numPages > source_pages_max)
      throw invalid(`the PDF has ${pdf.numPages} pages; at most ${source_pages_max} are read: save the part that you need`);
    return await readPages(pdf);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

const invalid = (detail: string): RefusalError => new RefusalError('invalid', detail);

async function opened(bytes: Uint8Array): Promise<PdfDocument> {
  // The reader takes the bytes that it is given away from their owner.
  const data = Uint8Array.from(bytes);
  const options = {
    verbosity: 0,
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    stopAtErrors: false,
    // What lies beside the program on a machine must not change what is read there.
    cMapUrl: undefined,
    standardFontDataUrl: undefined,
  };
  try {
    return await getDocumentProxy(data, options);
  } catch (error) {
    if (nameOf(error) === 'PasswordException')
      throw invalid('the PDF is encrypted: it opens only with its password; save a copy without one');
    throw invalid(`the PDF is damaged or cut off (${messageOf(error)}); open it and save it again`);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message.replace(/\.$/, '') : String(error));

/** What the pages have besides their lines. */
interface Found {
  rotated: number;
  readonly empty: number[];
  readonly unmapped: Map<number, number>;
  characters: number;
}

async function readPages(pdf: PdfDocument) {
  const found: Found = { rotated: 0, empty: [], unmapped: new Map(), characters: 0 };
  const pages: Page[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const fragments = await fragmentsOf(pdf, number, found);
    if (fragments.length === 0) found.empty.push(number);
    else pages.push({ number, flows: flowsOf(fragments) });
  }
  if (pages.length === 0)
    throw invalid(
      'the PDF has no text: its pages are pictures, as a scanner makes them; convert it with a program that recognises text (OCR)',
    );
  const { kept, repeated } = withoutRunning(pages);
  const outline = blocksOf(kept);
  return { outline, pages: pdf.numPages, title: titleOf(outline), notes: notesOf(found, repeated, pdf.numPages) };
}

/** The title of a document is the first of its largest headings on the first page that has one. */
function titleOf({ blocks }: Outline): string | null {
  const first = blocks.find(({ type }) => type === 'heading');
  const top = blocks.find(({ type, under, page }) => type === 'heading' && under === undefined && page === first?.page);
  return top?.text ?? null;
}

async function fragmentsOf(pdf: PdfDocument, number: number, found: Found): Promise<readonly Fragment[]> {
  let page: PdfPage | null = null;
  try {
    page = await pdf.getPage(number);
    const { transform } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    return items.flatMap((item) => ('str' in item ? fragmentOf(item, transform, number, found) : []));
  } catch (error) {
    throw invalid(`page ${number} of the PDF is damaged (${messageOf(error)}); open the PDF and save it again`);
  } finally {
    page?.cleanup();
  }
}

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

/** Characters that are no letters: those that a font of the file did not name, and control characters. */
const unmapped = /[\ufffd\p{Co}\p{Cn}\p{Cc}]/gu;

function fragmentOf({ str, transform: item, width }: Item, page: readonly number[], number: number, found: Found): Fragment[] {
  if (str.trim() === '') return [];
  const [a, b, c, d, x, y] = product(page, item);
  if (Math.abs(b) > 0.2 * Math.abs(a)) {
    found.rotated += 1;
    return [];
  }
  const unknown = str.match(unmapped)?.length ?? 0;
  if (unknown > 0) found.unmapped.set(number, (found.unmapped.get(number) ?? 0) + unknown);
  found.characters += str.length;
  const size = Math.hypot(c, d);
  return [x, y, size, width].every(Number.isFinite) && size > 0 ? [{ text: str, x, y, width: Math.abs(width), size }] : [];
}

type Matrix = readonly [a: number, b: number, c: number, d: number, x: number, y: number];

/** Returns the place on the page as it is shown, whichever way it is turned. */
function product(page: readonly number[], item: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = page;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = item;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

const listed = (pages: readonly number[]): string =>
  `page${pages.length === 1 ? '' : 's'} ${pages.slice(0, 5).join(', ')}${pages.length > 5 ? ', …' : ''}`;

function notesOf({ rotated, empty, unmapped: unknown, characters }: Found, repeated: number, pages: number): readonly string[] {
  const count = [...unknown.values()].reduce((sum, each) => sum + each, 0);
  return [
    ...(empty.length > 0 ? [`No text on ${empty.length} of ${pages} pages (${listed(empty)}).`] : []),
    ...(count > 0
      ? [
          `${count} of ${characters} characters have no letter, because a font of the PDF does not say which they are (${listed([...unknown.keys()])}). Compare quotes with the PDF.`,
        ]
      : []),
    ...(repeated > 0 ? [`Left out: ${repeated} lines that repeat at the top or the bottom of pages.`] : []),
    ...(rotated > 0 ? [`Left out: ${rotated} pieces of text that are turned.`] : []),
    'Tables of a PDF are not recognised; their cells are read as lines.',
  ];
}

// Finds the headers and the footers of pages: lines at the top or the bottom that repeat from page to page.

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
