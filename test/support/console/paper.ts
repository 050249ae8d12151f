/** A page as it is printed: the texts of its PDF, and the labels of its charts on the screen to compare them with. */
import type { Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';

interface Label {
  readonly text: string;
  readonly left: number;
}

export interface ChartOnScreen {
  readonly width: number;
  /** All labels, those of a line together. */
  readonly lines: readonly (readonly Label[])[];
  /** How far its marks reach beyond it, in pixels. */
  readonly beyond: number;
}

/** Returns the charts of a page; coordinates are from the left end of a chart. */
export const chartsOn = (page: Page): Promise<ChartOnScreen[]> =>
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
