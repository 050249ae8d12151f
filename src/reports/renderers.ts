/**
 * Renderers of HTML reports by number. A report names the renderer that made it and holds the export that it was made from: who has that renderer makes
 * the file again and compares. A change of a report's bytes is a new number; the ones before stay, as long as reports of theirs are to be checked.
 */
import type { ExportDocument } from '../codec/export.js';
import { pageOf } from './html.js';
import { type Report, reportOfExport } from './report.js';

export const renderer = 1;

const [opening, closing] = ['<script type="application/json" id="agent-cli-report">\n', '\n</script>\n'];

/** Signs that a reader of HTML or JavaScript could take for something else; in JSON they are only in texts, where they may be escapes. */
const embedded = (json: string): string =>
  json.trim().replace(/[<\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns what was embedded, as it was. A pair of backslashes is one of them, and begins no escape. */
const unembedded = (json: string): string =>
  json.replace(/\\(?:u(003c|2028|2029)|[^])/g, (each, code?: string) =>
    code === undefined ? each : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Returns the report of an export; null for one of no known kind. @param text the export itself */
export function htmlOfExport(document: ExportDocument, text: string): string | null {
  const report = reportOfExport(document);
  return report === null ? null : pageOf(report, `${opening}{"renderer":${renderer},"export":${embedded(text)}}${closing}`);
}

export const htmlOfDraft = (report: Report): string => pageOf(report);

/** What a report holds. */
export interface EmbeddedExport {
  readonly renderer: number;
  /** The text of the export. */
  readonly exported: string;
}

export const isReport = (text: string): boolean => /^\s*<(?:!doctype|html)/i.test(text);

/** Returns what a report holds; null for a page that is none, also for a draft. */
export function embeddedIn(text: string): EmbeddedExport | null {
  const from = text.indexOf(opening);
  const to = text.indexOf('</script', from);
  const head = /^\{"renderer":(\d{1,9}),"export":/.exec(text.slice(from + opening.length, from + opening.length + 64));
  if (from < 0 || to < 0 || head === null) return null;
  const start = from + opening.length + head[0].length;
  const end = text.lastIndexOf('}', to);
  return end <= start ? null : { renderer: Number(head[1]), exported: unembedded(text.slice(start, end)) };
}

/** Whether the report is byte for byte what its renderer makes of its export; null where this version does not hold the renderer. */
export const isRendered = (
  text: string,
  { renderer: named, exported }: EmbeddedExport,
  document: ExportDocument,
): boolean | null => (named === renderer ? htmlOfExport(document, exported) === text : null);
