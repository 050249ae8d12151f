/** Schedules as calendars (iCalendar, RFC 5545): an event for each operation, in local times of no zone, with an identifier that stays. */
import type { CalendarEvent } from './content.js';
import type { Report } from './report.js';

export interface CalendarFilter {
  /** The id or the name of a machine. */
  readonly machine?: string | undefined;
  readonly job?: string | undefined;
}

const isOf = ({ id, name }: CalendarEvent['job'], wanted: string | undefined): boolean =>
  wanted === undefined || id === wanted || name === wanted;

export const eventsOf = ({ content }: Report, { machine, job }: CalendarFilter): readonly CalendarEvent[] =>
  (content.events ?? []).filter((each) => isOf(each.machine, machine) && isOf(each.job, job));

/** RFC 5545, 3.3.11. */
const text = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
    .replaceAll(/[\\;,]/g, (each) => `\\${each}`)
    .replaceAll('\n', '\\n'); // oxlint-disable-line no-control-regex

/** RFC 5545, 3.3.5, form 1: a local time. */
const local = (moment: string): string =>
  moment
    .replaceAll(/\D/g, '')
    .padEnd(14, '0')
    .slice(0, 14)
    .replace(/^\d{8}/, '$&T');

const line_bytes_max = 75;

/** RFC 5545, 3.1: a long line goes on after a line feed and a space, and no character is cut. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  let out = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > line_bytes_max) {
      out += '\r\n ';
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return `${out}\r\n`;
}

/** Returns the calendar of a report's events. The stamp of each is the moment of the approval. */
export function icsText(report: Report, events: readonly CalendarEvent[]): string {
  const { author, mission, goal, approval } = report;
  const stamp = `${local((approval?.at ?? '').slice(0, 19).replace('T', ' '))}Z`;
  const lines = events.flatMap(({ job, machine, step, start, end }) => [
    'BEGIN:VEVENT',
    `UID:${text(`${mission}-${job.id}-${step}@agent-cli`)}`,
    `DTSTAMP:${stamp}`,
    `DTSTART:${local(start)}`,
    // An end is later than its start (RFC 5545, 3.8.2.2): an operation that takes no time has none.
    ...(end > start ? [`DTEND:${local(end)}`] : []),
    `SUMMARY:${text(`${job.name}: ${machine.name}`)}`,
    `LOCATION:${text(machine.name)}`,
    `DESCRIPTION:${text(`${goal}${author === null ? '' : ` (${author})`}\nMission ${mission}, result ${report.result_hash}`)}`,
    'END:VEVENT',
  ]);
  const all = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//agent-cli//schedule//EN',
    'CALSCALE:GREGORIAN',
    ...lines,
    'END:VCALENDAR',
  ];
  return all.map(folded).join('');
}
