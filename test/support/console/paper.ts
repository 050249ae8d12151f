/** A page as it is printed: the texts of its PDF, and the labels of its charts on the screen to compare them with. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';
import { fullEffort } from '../effort.js';

interface Label {
  readonly text: string;
  readonly left: number;
}

interface ChartOnScreen {
  readonly width: number;
  /** All labels, those of a line together. */
  readonly lines: readonly (readonly Label[])[];
  /** How far its marks reach beyond it, in pixels. */
  readonly beyond: number;
}

/** Returns the charts of a page; coordinates are from the left end of a chart. */
const chartsOn = (page: Page): Promise<ChartOnScreen[]> =>
  page.evaluate(`[...document.querySelectorAll('.chart svg[role=img]')].map((svg) => {
    const box = svg.getBoundingClientRect();
    const seen = [...svg.querySelectorAll('text, path, rect, line, circle')].filter((each) => !each.closest('[data-screen-only]'));
    const lines = new Map();
    for (const each of seen) {
      const at = each.getBoundingClientRect();
      const text = each.textContent.replaceAll(/\\s/g, '');
      if (each.tagName !== 'text' || text === '') continue;
      const line = Math.round(at.bottom - box.top);
      lines.set(line, [...(lines.get(line) ?? []), { text, left: at.left - box.left }]);
    }
    const rights = seen.map((each) => each.getBoundingClientRect().right - box.right);
    return { width: box.width, lines: [...lines.values()], beyond: Math.max(0, ...rights) };
  })`);

interface PaperLine {
  /** Without blanks, which are drawn as distances. */
  readonly text: string;
  /** Where each of its characters begins, about. */
  readonly starts: readonly number[];
  readonly right: number;
}

export interface Paper {
  readonly width: number;
  readonly lines: readonly PaperLine[];
}

/** Prints a page. Returns its sheets. */
export async function printed(page: Page, format: string): Promise<readonly Paper[]> {
  const document = await getDocumentProxy(new Uint8Array(await page.pdf({ format })));
  const sheets = Array.from({ length: document.numPages }, (_, i) => document.getPage(i + 1));
  return Promise.all(
    sheets.map(async (loading) => {
      const sheet = await loading;
      const { items } = await sheet.getTextContent();
      const lines = new Map<number, { text: string; starts: number[]; right: number }>();
      for (const item of items) {
        if (!('str' in item) || item.str.trim() === '') continue;
        const [x = 0, y = 0] = (item.transform as number[]).slice(4);
        const line = lines.get(Math.round(y)) ?? { text: '', starts: [], right: 0 };
        const text = item.str.replaceAll(/\s/g, '');
        line.text += text;
        line.starts.push(...Array.from(text, (_, i) => x + (item.width * i) / text.length));
        line.right = Math.max(line.right, x + item.width);
        lines.set(Math.round(y), line);
      }
      return { width: sheet.getViewport({ scale: 1 }).width, lines: [...lines.values()] };
    }),
  );
}

const formats = ['A4', 'Letter'] as const;
let turns = 0;

/** Returns the sizes of paper on which a page is printed: one of them by turns, and at full effort both. */
export const sizes = (): readonly string[] => (fullEffort ? formats : [formats[turns++ % formats.length] ?? 'A4']);
/** The margin of the paper in points, and how much a text may reach into it. */
const margin = 42.5;
const tolerance = 2;

/** Compares the charts with a print: all of their labels, and where those of the axis are. */
function sameCharts(charts: readonly ChartOnScreen[], sheets: readonly Paper[], name: string): void {
  const all = sheets.flatMap(({ lines }) => lines);
  for (const { width, lines, beyond } of charts) {
    assert.ok(beyond <= 2, `${name}: a mark reaches ${beyond} pixels beyond its chart`);
    for (const { text } of lines.flat())
      assert.ok(
        all.some((line) => line.text.includes(text)),
        `${name}: ${text}`,
      );
    const axis = lines.reduce((most, line) => (line.length > most.length ? line : most), []).toSorted((a, b) => a.left - b.left);
    const [first, last] = [axis[0], axis.at(-1)];
    if (first === undefined || last === undefined) continue;
    const line = all.find(({ text }) => text.includes(axis.map((label) => label.text).join('')));
    assert.ok(line, `${name}: ${axis.map(({ text }) => text).join(' ')}`);
    const from = line.starts[line.text.indexOf(first.text)]!;
    const to = line.starts[line.text.lastIndexOf(last.text)]!;
    const scale = Math.min(0.75, (sheets[0]!.width - 2 * margin) / width);
    const apart = (last.left - first.left) * scale;
    assert.ok(Math.abs(to - from - apart) < 0.02 * apart + tolerance, `${name}: ${to - from} points in place of ${apart}`);
  }
}

/** Compares the prints of a page with the screen: the charts whole, nothing cut off, and the expected texts. */
export async function prints(page: Page, name: string, expected: readonly string[]): Promise<void> {
  const charts = await chartsOn(page);
  for (const format of sizes()) {
    const sheets = await printed(page, format);
    const what = `${name}, ${format}`;
    sameCharts(charts, sheets, what);
    const text = sheets.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n');
    for (const { width, lines } of sheets)
      for (const line of lines) assert.ok(line.right <= width - margin + tolerance, `${what}: ${line.text} is cut off`);
    for (const each of expected) assert.ok(text.includes(each.replaceAll(' ', '')), `${what}: ${each} in\n${text}`);
    for (const each of ['Signout', 'Spreadsheet', 'noinvoice', 'Savechart', 'Copycommand', 'Showasatable'])
      assert.ok(!text.includes(each), `${what}: ${each}`);
  }
}
