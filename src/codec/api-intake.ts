/** Files that are sent to be read, and what reading them for a mission came to. */
import * as t from 'io-ts';
import type { Json } from '../base/canonical-json.js';
import {
  choice,
  described,
  flag,
  integer,
  list,
  mapOf,
  nullable,
  number,
  object,
  optional,
  required,
  tagged,
  text,
} from './kit.js';
import { count, time, uuid } from './scalars.js';

/** One file of a draft. */
export const intake_file_bytes_max = 50_000_000;
export const intake_files_max = 100;
/** Bytes of a file that a part carries: in base64 they fit a request body of 512 KiB. */
export const intake_part_bytes_max = 390_000;
const base64_chars_max = Math.ceil(intake_part_bytes_max / 3) * 4;
const file_name_chars_max = 255;

/** What was read as JSON before. */
const json = t.unknown as t.Type<Json, unknown>;
const short = text({ min: 1, max: 200 });

export const intakeOpening = object('IntakeOpening', {
  files: required(
    list(
      object('IntakeFile', {
        name: required(text({ min: 1, max: file_name_chars_max })),
        bytes: required(integer(0, intake_file_bytes_max)),
      }),
      1,
      intake_files_max,
    ),
  ),
});

export const intakeParams = object('IntakeParams', { id: required(uuid) });

const upload = { draft: required(uuid), expires_at: required(time) };
export const intakeDraft = object('IntakeDraft', upload);
export type IntakeDraft = t.TypeOf<typeof intakeDraft>;

export const intakePart = object('IntakePart', {
  /** The place of the file in the list, from 0. */
  file: required(integer(0, intake_files_max - 1)),
  /** The place of the part's first byte in the file: parts are sent in order. */
  at: required(integer(0, intake_file_bytes_max)),
  /** Base64 with padding. */
  data: required(text({ max: base64_chars_max, pattern: /^[A-Za-z0-9+/]*={0,2}$/ })),
});
export type IntakePart = t.TypeOf<typeof intakePart>;

export const intakeReceived = object('IntakeReceived', { received: required(integer(0, intake_file_bytes_max)) });

/** The kinds of missions that files become. */
export const intakeKind = choice('research', 'allocation', 'schedule', 'forecast');
export type IntakeKind = typeof intakeKind._A;
export const intakeKinds = intakeKind.choices;

export const intakeOptions = object(
  'IntakeOptions',
  {
    goal: described('what the mission is to answer or to plan', optional(text({ max: 2_000 }))),
    sheet: described('the sheet of a workbook', optional(short)),
    column: described('the column with the values of a series', optional(short)),
    dateColumn: described('the column with the dates of a series', optional(short)),
    map: described('the member that each column gives, by the name of the column', optional(mapOf(text({ max: 200 })))),
    where: described(
      'the text that a row has in each of these columns; other rows do not count',
      optional(mapOf(text({ max: 200 }))),
    ),
    decimal: described('the decimal mark of the numbers', optional(choice('.', ','))),
    dateOrder: described('whether the day or the month comes first', optional(choice('dmy', 'mdy'))),
    gaps: described('what a date without a value means', optional(choice('interpolate', 'zero', 'previous'))),
    sum: described('add up several rows of a date', optional(flag)),
    mean: described('take the mean of several rows of a date', optional(flag)),
    every: described('the step to which the rows of a series are added or averaged, such as month', optional(short)),
    keepPartial: described('keep an incomplete first or last period of every', optional(flag)),
    scale: described(
      'the number that each word stands for, such as {"Low": 1}',
      optional(mapOf(number(-Number.MAX_VALUE, Number.MAX_VALUE))),
    ),
    unit: described('the unit of durations', optional(choice('minute', 'hour', 'day'))),
    set: described('members of the work that the file does not give, such as {"budget": 100000}', optional(mapOf(json))),
    names: described('whether the mission holds the names of the files; true unless given', optional(flag)),
  },
  ({ sum, mean }) => (sum === true && mean === true ? [{ path: 'mean', message: 'cannot be used beside sum' }] : []),
);
export type IntakeOptions = t.TypeOf<typeof intakeOptions>;

/** Returns the options with more of them; what is given by name is added to what there is. */
export function withOptions(before: IntakeOptions, more: IntakeOptions): IntakeOptions {
  const byName = (['map', 'set', 'scale', 'where'] as const).filter((name) => more[name] !== undefined);
  return { ...before, ...more, ...Object.fromEntries(byName.map((name) => [name, { ...before[name], ...more[name] }])) };
}

export const intakeRequest = object('IntakeRequest', { kind: required(intakeKind), options: optional(intakeOptions) });

/** The kinds whose example is also given as a spreadsheet. */
export const templateKind = choice('allocation', 'schedule', 'forecast');
export type TemplateKind = typeof templateKind._A;
export const templateFormat = choice('csv', 'xlsx');
export type TemplateFormat = typeof templateFormat._A;
export const templateParams = object('TemplateParams', { kind: required(templateKind), format: required(templateFormat) });

const many = 100_000;
const texts = list(text(), 0, many);

const intakePreview = object('IntakePreview', {
  sheet: required(nullable(text())),
  /** All sheets that have rows, where there are several. */
  sheets: optional(texts),
  columns: required(
    list(
      object('IntakeColumn', {
        name: required(text()),
        /** What the column became; null for one that is left out. */
        member: required(nullable(text())),
        members: required(texts),
      }),
      0,
      many,
    ),
  ),
  rows: required(list(object('IntakeRow', { row: required(count), cells: required(texts) }), 0, many)),
  total: required(count),
});
export type IntakePreview = t.TypeOf<typeof intakePreview>;

const intakeDocument = object('IntakeDocument', {
  name: required(text()),
  title: required(text()),
  reader: required(text()),
  pages: optional(count),
  blocks: required(count),
});
export type IntakeDocument = t.TypeOf<typeof intakeDocument>;

const intakeChoice = object('IntakeChoice', {
  about: required(choice('decimal', 'date', 'column', 'gaps', 'risk', 'sheet', 'duplicates', 'unit')),
  message: required(text()),
  /** The flag of the command line that settles it. */
  flag: required(text()),
  readings: required(list(object('IntakeReading', { label: required(text()), option: required(intakeOptions) }), 0, many)),
});
export type IntakeChoice = t.TypeOf<typeof intakeChoice>;

const intakeFault = object('IntakeFault', {
  file: required(text()),
  sheet: optional(text()),
  column: optional(text()),
  /** The first three, as a spreadsheet numbers them. */
  rows: required(list(count, 0, many)),
  count: required(count),
  cell: optional(text()),
  message: required(text()),
  /** The flag of the command line that helps. */
  hint: optional(text()),
});
export type IntakeFault = t.TypeOf<typeof intakeFault>;

const common = { notes: required(texts), preview: optional(intakePreview) };

export const intakeOutcome = tagged('IntakeOutcome', 'outcome', {
  draft: object('IntakeDrafted', {
    outcome: required(choice('draft')),
    kind: required(text()),
    /** A mission file; members that no file gives may be missing. */
    draft: required(json),
    rows: required(count),
    provenance: required(json),
    documents: optional(list(intakeDocument, 0, many)),
    ...common,
  }),
  choice_needed: object('IntakeUndecided', {
    outcome: required(choice('choice_needed')),
    choices: required(list(intakeChoice, 0, many)),
    ...common,
  }),
  invalid: object('IntakeInvalid', {
    outcome: required(choice('invalid')),
    errors: required(list(intakeFault, 0, many)),
    ...common,
  }),
});
export type IntakeOutcome = typeof intakeOutcome._A;

/** A mission that is queued from a draft, with a JSON merge patch (RFC 7396) of what was changed by hand. */
export const draftedMission = object('DraftedMission', {
  draft: required(text({ max: 36 })),
  changes: optional(json),
});
