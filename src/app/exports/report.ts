/** Reports of missions as files that people open: of an approved result with its export inside, of one in review as a draft, or of an export that exists. */
import { fromHex, sha256Hex, utf8 } from '../../base/bytes.js';
import { invalid, RefusalError } from '../../base/refusal.js';
import { reportCsv, reportXlsx } from '../../reports/files.js';
import { type CalendarFilter, eventsOf, icsText } from '../../reports/ics.js';
import { markdownOf } from '../../reports/markdown.js';
import { htmlOfDraft, htmlOfExport } from '../../reports/renderers.js';
import { draftOf, type Report, reportOfExport } from '../../reports/report.js';
import { reading } from '../../tables/read.js';
import type { Home } from '../home/home.js';
import { requireMission, requireRequest, storedRequest, storedResult } from '../missions/record.js';
import { exportText } from './export.js';
import { Refuted } from '../../base/web-crypto.js';
import { checkExport, parseExport, readExport, type ReadExport } from './verify-export.js';
import { createOutput } from '../../home/files.js';

/** The formats, and the media type of each. */
export const reportTypes = {
  html: 'text/html',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ics: 'text/calendar',
  md: 'text/markdown',
} as const;
export type ReportFormat = keyof typeof reportTypes;
export const reportFormats = Object.keys(reportTypes) as readonly ReportFormat[];

/** Formats of results that nobody has approved yet. */
const draftFormats: readonly ReportFormat[] = ['html', 'md'];

export type ReportFile = Readonly<ReturnType<typeof written>>;

interface RenderedReport {
  readonly bytes: Uint8Array;
  /** Whether the result was approved; a draft proves nothing. */
  readonly approved: boolean;
  readonly warnings: readonly string[];
}

/** Returns the format that the name of a file says. */
function formatOf(output: string, { machine, job }: CalendarFilter): ReportFormat {
  const format = reportFormats.find((each) => output.toLowerCase().endsWith(`.${each}`));
  if (format === undefined)
    throw new RefusalError(invalid('--output', `must end in ${reportFormats.map((each) => `.${each}`).join(', ')}`));
  const given = machine === undefined ? (job === undefined ? null : '--job') : '--machine';
  if (given !== null && format !== 'ics') throw new RefusalError(invalid(given, 'is for calendars, which end in .ics'));
  return format;
}

/** Writes the report of a mission into a new file; an existing file is never overwritten. */
export async function reportMission(home: Home, id: string, output: string, filter: CalendarFilter): Promise<ReportFile> {
  const format = formatOf(output, filter);
  const rendered = await renderMission(home, id, format, filter);
  if (!rendered.approved && !output.toLowerCase().endsWith(`.draft.${format}`))
    throw new RefusalError(invalid('--output', `must end in .draft.${format}, because nobody has approved the result yet`));
  return written(output, format, rendered);
}

/** Writes the report of an export that exists, or of the export in a report, into a new file. */
export async function reportExport(file: string, output: string, filter: CalendarFilter): Promise<ReportFile> {
  const format = formatOf(output, filter);
  return written(output, format, await renderExport(readExport(file), format, filter, []));
}

function written(output: string, format: ReportFormat, { bytes, approved, warnings }: RenderedReport) {
  createOutput(output, bytes);
  return { output, format, sha256: sha256Hex(bytes), bytes: bytes.length, approved, warnings };
}

/** Returns the report of an approved result, else the draft of a result in review. */
export async function renderMission(
  home: Home,
  id: string,
  format: ReportFormat,
  filter: CalendarFilter = {},
): Promise<RenderedReport> {
  const { state } = requireMission(home.db, id);
  if (state === 'review') return draft(home, id, format);
  // The export that the command `export` writes, without a payment, which is no part of the answer.
  const { text, warnings } = exportText(home, id, { withoutSettlement: true });
  return await renderExport(parseExport(text), format, filter, warnings);
}

function draft(home: Home, id: string, format: ReportFormat): RenderedReport {
  if (!draftFormats.includes(format))
    throw new RefusalError(
      'wrong_state',
      `mission ${id} is in review; before its approval there are only drafts, as html and md`,
      { hint: `agent-cli show ${id}` },
    );
  const report = reading(home.db, () => {
    const mission = requireMission(home.db, id);
    requireRequest(home.db, mission);
    const { result_hash, engine, assistant } = mission;
    const result = storedResult(home.db, mission)?.result ?? null;
    return draftOf({
      mission: id,
      request: storedRequest(home.db, mission),
      result,
      result_hash: result_hash ?? '',
      engine,
      assistant,
    });
  });
  const known = report ?? unknownKind();
  return { bytes: utf8(format === 'md' ? markdownOf(known) : htmlOfDraft(known)), approved: false, warnings: [] };
}

const unknownKind = (): never => {
  throw new RefusalError('invalid', 'the mission is of a kind that this version does not know');
};

/** Renders an export that holds by its own key, with its approvals; whether that is the key of its issuer, a reader checks. */
async function renderExport(
  read: ReadExport,
  format: ReportFormat,
  filter: CalendarFilter,
  warnings: readonly string[],
): Promise<RenderedReport> {
  try {
    const { report: _, ...alone } = read;
    await checkExport(alone, fromHex(read.export.public_key) ?? Buffer.alloc(0));
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    throw new RefusalError('verification_failed', `the export is not valid: ${error.message}`);
  }
  return { bytes: approvedBytes(read, format, filter), approved: true, warnings };
}

function approvedBytes({ export: document, text }: ReadExport, format: ReportFormat, filter: CalendarFilter): Uint8Array {
  const report = reportOfExport(document) ?? unknownKind();
  switch (format) {
    case 'html':
      return utf8(htmlOfExport(document, text) ?? unknownKind());
    case 'md':
      return utf8(markdownOf(report));
    case 'csv':
      return utf8(reportCsv(report));
    case 'xlsx':
      return reportXlsx(report);
    case 'ics':
      return utf8(calendarOf(report, filter));
  }
}

function calendarOf(report: Report, filter: CalendarFilter): string {
  if (report.content.events === undefined)
    throw new RefusalError('wrong_state', 'a calendar is made of a schedule that has a start; this result has no dates');
  const events = eventsOf(report, filter);
  const named = filter.machine === undefined ? `job ${filter.job}` : `machine ${filter.machine}`;
  if (events.length === 0 && report.content.events.length > 0)
    throw new RefusalError('not_found', `the schedule has no operation of ${named}`);
  return icsText(report, events);
}
