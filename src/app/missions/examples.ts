/** `examples`: writes example missions to edit, one of each kind, and the spreadsheets that some could have been made from. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { utf8 } from '../../base/bytes.js';
import { unwrap } from '../../base/refusal.js';
import { templateFormat, type TemplateFormat, templateKind, type TemplateKind } from '../../codec/api-intake.js';
import { type Kind, kinds } from '../../codec/kinds.js';
import { createOutput, fileError, placeDirectory, requireAbsent, takeBack } from '../../home/files.js';
import { missionKind } from '../../kinds/table.js';
import { decode } from '../../codec/kit.js';
import { dateOfStep } from '../../kinds/forecast/calendar.js';
import { missionRequest } from '../../kinds/request.js';
import type { Works } from '../../kinds/works.js';
import type { Row } from '../../reports/content.js';
import { csvText } from '../../reports/csv.js';
import { xlsxBytes } from '../../reports/xlsx.js';

export interface ExamplesReport {
  readonly output: string;
  /** The mission files. */
  readonly files: readonly string[];
  readonly spreadsheets: readonly string[];
}

/** Returns the file of an example, ready to be edited. */
export const exampleText = (kind: Kind): string => `${JSON.stringify(missionKind(kind).example, null, 2)}\n`;

/** Writes the examples into a new directory, which gets its name once it is complete. */
export function writeExamples(output: string): ExamplesReport {
  const directory = path.resolve(output);
  requireAbsent(directory);
  const temporary = `${directory}.tmp-${randomBytes(6).toString('hex')}`;
  try {
    fs.mkdirSync(temporary);
    const report = filled(temporary, directory);
    placeDirectory(temporary, directory);
    return report;
  } catch (error) {
    takeBack(() => fs.rmSync(temporary, { recursive: true, force: true }));
    throw fileError(error, directory);
  }
}

function filled(temporary: string, directory: string): ExamplesReport {
  const write = (name: string, bytes: Uint8Array): string => {
    const file = path.join(directory, name);
    createOutput(path.join(temporary, name), bytes, file);
    return file;
  };
  const files = kinds.map((kind) => write(`${kind}.json`, utf8(exampleText(kind))));
  const spreadsheets = templateKind.choices.flatMap((kind) =>
    templateFormat.choices.map((format) => write(`${kind}.${format}`, templateBytes(kind, format))),
  );
  return { output: directory, files, spreadsheets };
}

// The examples as tables, of the kinds that are made from one, as a person would keep them in a spreadsheet.

type Rows = readonly Row[];

/** A Monday, on which the series of the example begins. */
const first_day = '2026-01-05';
const daily = { unit: 'day', count: 1 } as const;

/** Returns an id as a person would write it: `screen_press` as `Screen press`. */
const named = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');

const tables: { readonly [K in TemplateKind]: (work: Works[K]) => Rows } = {
  forecast: ({ observations }) => [
    ['Date', 'Visitors'],
    ...observations.map((value, i) => [{ date: dateOfStep(first_day, daily, i) ?? first_day }, value]),
  ],
  schedule: ({ jobs }) => [
    ['Job', 'Step', 'Machine', 'Minutes', 'Release', 'Due'],
    ...jobs.flatMap(({ id, operations, release, due = null }) =>
      operations.map(({ machine, duration }, i) => [named(id), i + 1, named(machine), duration, release, due]),
    ),
  ],
  allocation: ({ items }) => [
    ['Ref', 'Cost', 'Value', 'Risk', 'Group', 'Requires', 'Excludes'],
    ...items.map(({ id, cost, value, risk, group = null, requires = [], excludes = [] }) => [
      id,
      cost,
      value,
      risk,
      group,
      requires.join(', ') || null,
      excludes.join(', ') || null,
    ]),
  ],
};

/** Returns the example of a kind as a file. */
export function templateBytes<K extends TemplateKind>(kind: K, format: TemplateFormat): Uint8Array {
  const request = unwrap(decode(missionRequest, missionKind(kind).example));
  const rows = tables[kind](request.work as Works[K]);
  return format === 'csv' ? utf8(csvText(rows)) : xlsxBytes([{ name: kind, rows }]);
}
