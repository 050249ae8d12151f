/** Makes blocks of the lines of a PDF: headings by the size of their letters, paragraphs by the gaps between lines, list items by their marks. */
import type { BlockType } from '../../types.js';
import { Outline, plainText } from '../outline.js';
import { extentOf, type Flow, type Line } from './layout.js';

/** A page, as its flows are read one after the other. */
export interface Page {
  readonly number: number;
  readonly flows: readonly Flow[];
}

/** Lines that belong together, before their type is known for good. */
interface Part {
  readonly lines: Line[];
  readonly page: number;
  readonly isItem: boolean;
}

/** What is usual in a document: the size of its text, and the distance of two lines as a multiple of it. */
type Usual = Readonly<ReturnType<typeof usualIn>>;

/** Letters so much larger than the text are those of a heading. */
const heading_ratio = 1.1;
const heading_chars_max = 300;

/** Returns the blocks of a document. */
export function blocksOf(pages: readonly Page[]): Outline {
  const usual = usualIn(pages);
  const parts = joined(
    pages.flatMap(({ number, flows }) => flows.flatMap((flow) => partsOf(flow, number, usual))),
    usual,
  );
  const hyphenated = hyphenatedIn(pages);
  const texts = parts.map((part) => ({ part, text: textOf(part.lines, hyphenated) }));
  const isHeading = ({ lines, isItem }: Part, text: string): boolean =>
    !isItem && sizeOf(lines) >= usual.size * heading_ratio && text.length <= heading_chars_max;
  const levels = levelsOf(texts.filter(({ part, text }) => isHeading(part, text)).map(({ part }) => sizeOf(part.lines)));
  const outline = new Outline();
  for (const { part, text } of texts) {
    const place = { page: part.page };
    if (isHeading(part, text)) outline.heading(levels(sizeOf(part.lines)), text, place);
    else outline.add(...typed(part, text), place);
  }
  return outline;
}

const typed = ({ isItem }: Part, text: string): [BlockType, string] =>
  isItem ? ['list_item', text.replace(bullet, '')] : ['paragraph', text];

const sizeOf = (lines: readonly Line[]): number => lines[0]?.size ?? 0;

/** Returns the value that most characters have. */
function mostUsed(weights: Iterable<readonly [value: number, weight: number]>): number | null {
  const sums = new Map<number, number>();
  for (const [value, weight] of weights) sums.set(value, (sums.get(value) ?? 0) + weight);
  return [...sums].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Returns the size of the letters of the text: that of most of them. */
export const sizeOfText = (pages: readonly Page[]): number =>
  mostUsed(
    pages.flatMap(({ flows }) =>
      flows.flatMap((flow) => flow.map((line) => [Math.round(line.size * 2) / 2, line.text.length] as const)),
    ),
  ) ?? 10;

function usualIn(pages: readonly Page[]) {
  const flows = pages.flatMap((page) => page.flows);
  const size = sizeOfText(pages);
  const isText = (line: Line | undefined): line is Line => line !== undefined && Math.abs(line.size - size) <= 0.5;
  const leading = mostUsed(
    flows.flatMap((flow) =>
      flow.flatMap((line, i): [number, number][] => {
        const above = flow[i - 1];
        const ratio = isText(above) && isText(line) ? (line.y - above.y) / line.size : 0;
        return ratio < 0.8 || ratio > 2.2 ? [] : [[Math.round(ratio * 20) / 20, 1]];
      }),
    ),
  );
  return { size, leading: leading ?? 1.25 };
}

/** A mark before a list item: a bullet or a dash, or a number or a letter with a point or in brackets. */
const bullet = /^(?:[•‣◦▪●○■□❖➢✓\uf0b7·]\s*|[-–—*]\s+)/;
const numbered = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,5}[.)])\s+\S/;
const strong = /^[•‣◦▪●○■□❖➢✓\uf0b7]/;
const ends = /[.!?:;]["'”’»)\]]*$/;

/** Cuts a flow where a block begins. */
function partsOf(flow: Flow, page: number, usual: Usual): Part[] {
  const parts: Part[] = [];
  const { left, right } = extentOf(flow);
  for (const line of flow) {
    const part = parts.at(-1);
    const last = part?.lines.at(-1);
    if (part === undefined || last === undefined || begins(line, last, part, { left, right, usual }))
      parts.push({ lines: [line], page, isItem: isItemMark(line, last, part, usual) });
    else part.lines.push(line);
  }
  return parts;
}

interface Around {
  readonly left: number;
  readonly right: number;
  readonly usual: Usual;
}

const isFar = (line: Line, last: Line, { leading }: Usual): boolean =>
  line.y - last.y > Math.max(leading * 1.12, leading + 0.1) * Math.max(line.size, last.size) || line.y < last.y;

/** Returns whether a line begins with the mark of an item; a number or a dash inside a sentence is none. */
function isItemMark(line: Line, last: Line | undefined, part: Part | undefined, usual: Usual): boolean {
  if (strong.test(line.text)) return true;
  if (line.size > usual.size * heading_ratio) return false;
  return (
    (bullet.test(line.text) || numbered.test(line.text)) &&
    (last === undefined || part?.isItem === true || ends.test(last.text) || isFar(line, last, usual) || last.size > line.size)
  );
}

function begins(line: Line, last: Line, part: Part, { left, right, usual }: Around): boolean {
  const em = line.size;
  if (Math.abs(line.size - last.size) > 0.06 * em || isFar(line, last, usual)) return true;
  if (isItemMark(line, last, part, usual)) return true;
  const first = part.lines[0] ?? last;
  const ended = ends.test(last.text);
  if (part.isItem) return ended && line.left - first.left < 0.3 * em;
  // The first line of a paragraph is indented, or the last one of the paragraph before is short.
  if (line.left - left > 0.9 * em && last.left - left < 0.3 * em) return true;
  return ended && right - last.right > 0.25 * (right - left) && /^[\p{Lu}\d"“‘«(]/u.test(line.text);
}

/**
 * Joins the parts of a sentence that runs over the end of a column or a page. Only the sentence is joined, so that each of them stands on the page on which
 * it begins.
 */
function joined(parts: readonly Part[], usual: Usual): readonly Part[] {
  const all: Part[] = [];
  let open: Part | null = null;
  for (const part of parts) {
    const isText = Math.abs(sizeOf(part.lines) - usual.size) <= 0.06 * usual.size;
    let rest: Part | null = part;
    if (open !== null && isText && !part.isItem && /^\p{Ll}/u.test(part.lines[0]?.text ?? '')) {
      const [sentence, after] = sentenceOf(part);
      for (const line of sentence) open.lines.push(line);
      rest = after.length > 0 ? { ...part, lines: after } : null;
    }
    if (rest !== null) all.push(rest);
    if (rest !== null && isText) open = ends.test(rest.lines.at(-1)?.text ?? '') ? null : rest;
    else if (sizeOf(part.lines) > usual.size * heading_ratio) open = null;
  }
  return all;
}

/** Cuts the lines of a part after its first sentence; the line in which that ends is cut as well. */
function sentenceOf(part: Part): readonly [sentence: Line[], after: Line[]] {
  for (const [i, line] of part.lines.entries()) {
    const end = /[.!?]["'”’»)\]]*\s+(?=["'“‘«(]*[\p{Lu}\d])/u.exec(line.text);
    if (end !== null) {
      const at = end.index + end[0].length;
      const cut = [line.text.slice(0, at), line.text.slice(at)].map((text) => ({ ...line, text }));
      return [
        [...part.lines.slice(0, i), ...cut.slice(0, 1)],
        [...cut.slice(1), ...part.lines.slice(i + 1)],
      ];
    }
    if (/[.!?]["'”’»)\]]*$/.test(line.text) && /^["'“‘«(]*\p{Lu}/u.test(part.lines[i + 1]?.text ?? ''))
      return [part.lines.slice(0, i + 1), part.lines.slice(i + 1)];
  }
  return [part.lines, []];
}

/** Only the end of what is there is searched for a broken word. */
const word_chars_max = 60;
const hyphen = /(\p{L}+)[-\u2010\u00ad]$/u;

/** Returns the words that are written with a hyphen within a line: these keep it where a line ends at the hyphen. */
function hyphenatedIn(pages: readonly Page[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { flows } of pages)
    for (const { text } of flows.flat())
      for (const [word] of text.matchAll(/\p{L}+[-\u2010]\p{L}+/gu)) words.add(word.replace('\u2010', '-').toLowerCase());
  return words;
}

function textOf(lines: readonly Line[], hyphenated: ReadonlySet<string>): string {
  let text = '';
  for (const line of lines) {
    const next = line.text.trim();
    const [broken, word = ''] = hyphen.exec(text.slice(-word_chars_max)) ?? [];
    const [rest] = /^\p{L}+/u.exec(next) ?? [];
    if (text === '' || broken === undefined || rest === undefined) text += text === '' ? next : ` ${next}`;
    else if (isCompound(word, rest, hyphenated)) text += next;
    else text = text.slice(0, -1) + next;
  }
  return plainText(text);
}

const isCompound = (word: string, rest: string, hyphenated: ReadonlySet<string>): boolean =>
  !/^\p{Ll}/u.test(rest) || hyphenated.has(`${word}-${rest}`.toLowerCase());

/** Returns the level of each size: the largest is level 1; sizes that differ by less than a twentieth are one. */
function levelsOf(sizes: readonly number[]): (size: number) => number {
  const starts: number[] = [];
  for (const size of [...new Set(sizes)].sort((a, b) => b - a)) {
    if (size < (starts.at(-1) ?? Number.POSITIVE_INFINITY) * 0.95) starts.push(size);
  }
  return (size) =>
    Math.max(
      0,
      starts.findIndex((start) => size >= start * 0.95),
    ) + 1;
}
