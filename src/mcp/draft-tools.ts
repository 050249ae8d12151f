/** The tools that make missions: a draft from texts, rows or files, and a mission in the queue. */
import * as t from 'io-ts';
import type { Home } from '../app/home/home.js';
import { queueWarnings } from '../app/missions/lease.js';
import { refuseRewritten, submissionWarnings, submitMission } from '../app/missions/submit.js';
import type { Json } from '../base/canonical-json.js';
import { utf8 } from '../base/bytes.js';
import { invalid, isRefused, RefusalError, unwrap } from '../base/refusal.js';
import { intake_files_max, intakeKind, intakeOptions, type IntakeOutcome, type IntakePreview } from '../codec/api-intake.js';
import type { MissionRecord } from '../codec/api-missions.js';
import { choice, decode, described, either, flag, list, mapOf, number, object, optional, required, text } from '../codec/kit.js';
import { uuid, uuidInAnyCase } from '../codec/scalars.js';
import type { InputFile } from '../intake/types.js';
import { type MissionRequest, missionRequest } from '../kinds/request.js';
import type { Assistant } from './assistant.js';
import { standingAnswer } from './read-tools.js';
import { textOf, tool, type ToolAnswer } from './tool.js';

/** A refusal names the last form. That is text: a model that is told to send null would do so, and lose the value. */
const cell = either(either(choice(null), number(-Number.MAX_VALUE, Number.MAX_VALUE)), text({ max: 32_767 }));
const rows_max = 20_000;
const columns_max = 200;
const shown_rows_max = 5;

const draftArguments = object('MissionDraftArguments', {
  kind: described(
    'forecast: a column of dates and one of values. schedule: a row an operation with job, machine and duration. allocation: a row an item ' +
      'with cost and value. research: documents that answer the question in options.goal',
    required(intakeKind),
  ),
  texts: described(
    'the files as texts, such as CSV, Markdown or HTML, to the letter as you have them',
    optional(
      list(
        object('NamedText', { name: required(text({ min: 1, max: 255 })), text: required(text({ min: 1 })) }),
        1,
        intake_files_max,
      ),
    ),
  ),
  rows: described(
    'a table in place of a file: the first row names the columns',
    optional(list(list(cell, 1, columns_max), 2, rows_max)),
  ),
  path: described(
    'a file (CSV, TSV, XLSX, HTML, PDF, DOCX, Markdown, text) or, for research, a directory, where the person has allowed it; only where this ' +
      'server runs as a program of the person',
    optional(text({ min: 1, max: 4_096 })),
  ),
  options: described(
    'how the file is read, and members that it does not give. A message names a flag such as --date-order; here it is dateOrder',
    optional(intakeOptions),
  ),
});

const missionDraft = tool({
  name: 'mission_draft',
  title: 'Draft a mission',
  description:
    'Reads texts, rows or a file of the person into the draft of a mission, with the place of every value, so that a result can be compared with ' +
    'the file later. Records nothing. Give exactly one of texts, rows and path. Never retype or round numbers of a file: send the file. ' +
    'Where the file leaves something open the answer names the choices; ask the person, then call again with the chosen options. ' +
    'The answer has a draft id, valid for 30 minutes, for mission_submit.',
  readOnly: true,
  input: draftArguments,
  run: async ({ kind, options = {}, ...source }, { assistant, exchange }) => {
    const { files, decimal } = filesOf(source, assistant);
    const { intake, name } = assistant;
    const { draft } = await intake.open(
      name,
      files.map((file) => ({ name: file.name, bytes: file.bytes.length })),
    );
    for (const [i, { bytes }] of files.entries())
      if (bytes.length > 0) await intake.add(name, draft, { file: i, at: 0, data: Buffer.from(bytes).toString('base64') });
    const outcome = await intake.read(name, draft, kind, { ...decimal, ...options }, exchange.signal);
    return outcomeAnswer(outcome, draft);
  },
});

type Source = Pick<(typeof draftArguments)['_A'], 'texts' | 'rows' | 'path'>;

/** Returns the files that a call names. @throws RefusalError unless it names exactly one source */
function filesOf({ texts, rows, path }: Source, { readFiles }: Assistant) {
  if ([texts, rows, path].filter((given) => given !== undefined).length !== 1)
    throw new RefusalError(invalid('', 'give exactly one of texts, rows and path'));
  if (texts !== undefined) return { files: texts.map(({ name, text }): InputFile => ({ name, bytes: utf8(text) })) };
  if (rows !== undefined) {
    // Numbers of JSON have a point; a text such as 1,500 or 1.500 can be read in two ways, as in a file.
    const isOpen = rows.flat().some((value) => typeof value === 'string' && /\d[.,]\d{3}(?!\d)/.test(value));
    return { files: [{ name: 'rows.csv', bytes: utf8(csvOf(rows)) }], decimal: isOpen ? {} : ({ decimal: '.' } as const) };
  }
  if (readFiles === null)
    throw new RefusalError(invalid('path', 'this server cannot open your files: send the content as texts or rows'));
  return { files: readFiles(path ?? '') };
}

const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows
    .map((row) => row.map((value) => (typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : (value ?? ''))).join(','))
    .join('\r\n');

/** Returns what reading came to: a draft, the choices that it leaves open, or what is wrong, a line for each cause. */
function outcomeAnswer(outcome: IntakeOutcome, draft: string): ToolAnswer {
  const { notes } = outcome;
  const said = [...notes.map((note) => `note: ${note}`), ...previewLines(outcome.preview)];
  const unread = (first: string, lines: readonly string[], found: object): ToolAnswer => {
    const document = { outcome: outcome.outcome, ...found, notes };
    return { text: textOf([first, ...lines, ...said]), document, isError: true };
  };
  if (outcome.outcome === 'invalid') {
    const lines = outcome.errors.map(
      ({ file, message, hint }) => `${file === '' ? '' : `${file}: `}${message}${hint === undefined ? '' : ` (${hint})`}`,
    );
    return unread('the file cannot be read as it is; nothing was recorded', lines, { errors: outcome.errors });
  }
  if (outcome.outcome === 'choice_needed') {
    const lines = outcome.choices.flatMap(({ message, readings }) => [
      message,
      ...readings.map(({ label, option }) => `  ${label}: options ${JSON.stringify(option)}`),
    ]);
    const first = 'the file leaves this open; ask the person, and call again with their options';
    return unread(first, lines, { choices: outcome.choices });
  }
  const mission = decode(missionRequest, outcome.draft);
  const missing = isRefused(mission) ? (mission.left.errors ?? []) : [];
  const { kind, rows, documents } = outcome;
  const ready =
    missing.length === 0
      ? 'mission_submit with this draft queues it'
      : 'add what is missing with options.goal or options.set, or with changes of mission_submit';
  const document = { outcome: 'draft', draft, kind, rows, documents, missing: missing.length === 0 ? undefined : missing, notes };
  const lines = isRefused(mission)
    ? missing.map(({ path, message }) => `missing: ${path}: ${message}`)
    : settingsOf(mission.right);
  const [count, noun] = documents === undefined ? [rows, 'row'] : [documents.length, 'document'];
  const made = `${kind} of ${count} ${noun}${count === 1 ? '' : 's'}`;
  return { text: textOf([`draft ${draft}: ${made}; ${ready}`, ...lines, ...said]), document };
}

/** Returns what the draft says besides its data, defaults included. */
function settingsOf({ goal, work }: MissionRequest): string[] {
  const settings = Object.entries(work).filter(([, value]) => typeof value !== 'object');
  return [`goal: ${goal}`, `work: ${JSON.stringify(Object.fromEntries(settings))}`];
}

/** Returns the columns, what each became, and the first rows. */
function previewLines(preview: IntakePreview | undefined): string[] {
  if (preview === undefined) return [];
  const columns = preview.columns.map(({ name, member }) => `${name} → ${member ?? 'left out'}`);
  return [
    `columns: ${columns.join(', ')}`,
    ...preview.rows.slice(0, shown_rows_max).map(({ row, cells }) => `row ${row}: ${cells.join(' | ')}`),
  ];
}

const { fields } = missionRequest;

const submitArguments = object('MissionSubmitArguments', {
  draft: described('the id of a draft of mission_draft, in place of goal and work', optional(uuid)),
  changes: described(
    'with draft: members that replace those of the draft (JSON merge patch, RFC 7396), such as {"goal": "…", "work": {"horizon": 6}}',
    optional(mapOf(t.unknown)),
  ),
  goal: described('what the mission is for, in the words of the person', optional(fields.goal.codec)),
  work: described(
    'the work, with "kind". forecast: observations (numbers, the oldest first), horizon. schedule: jobs with operations {machine, duration}. ' +
      'allocation: items {id, cost, value}, budget. research: sources {id, title, text}. code: language, examples, heldout, candidate. ' +
      'The resource agent-cli://kinds/KIND has the schema and an example of each',
    optional(mapOf(t.unknown)),
  ),
  seed: described('the seed of the search; 42 unless given', optional(fields.seed.codec)),
  population: described('restarts of the search of a schedule; 20 unless given', optional(fields.population.codec)),
  generations: described('recorded, and used by no engine; 12 unless given', optional(fields.generations.codec)),
  effort: described('how long to search; the configuration says unless given', optional(fields.effort.codec)),
  request_id: described('a new UUID of yours: the same id with the same mission never queues twice', optional(uuidInAnyCase)),
  derived_from: described('the id of the mission that this one changes', optional(uuid)),
  execute: described('also execute it as soon as a place is free, where the person allowed that', optional(flag)),
});

const missionSubmit = tool({
  name: 'mission_submit',
  title: 'Queue a mission',
  description:
    'Queues a mission, from a draft of mission_draft or from goal and work. Prefer a draft wherever the data is in a file. Recorded in the signed ' +
    'journal under your name. A person executes it unless you may, and a person always reviews the result. Returns the id.',
  readOnly: false,
  input: submitArguments,
  run: ({ draft, changes, request_id, derived_from, execute = false, ...typed }, { assistant, text }) => {
    const { name, intake } = assistant;
    if (draft === undefined && Object.keys(typed).length === 0)
      throw new RefusalError(invalid('draft', 'give the draft of mission_draft, or goal and work'));
    if (draft === undefined && changes !== undefined)
      throw new RefusalError(invalid('changes', 'belongs to a draft: without one, put them into goal and work'));
    if (draft !== undefined && Object.keys(typed).length > 0)
      throw new RefusalError(invalid('draft', `put ${Object.keys(typed).join(' and ')} into changes, or leave draft out`));
    if (execute && assistant.execute === null)
      throw new RefusalError('forbidden', 'you may not execute missions: leave execute out; a person executes it');
    const mission = draft === undefined ? typed : intake.mission(name, draft, (changes ?? {}) as Json);
    const request = unwrap(decode(missionRequest, mission));
    if (draft === undefined) refuseRewritten(request, utf8(text));
    return assistant.withHome(async (home) => {
      const { record, created } = await submitMission(home, request, request_id, name, {
        derivedFrom: derived_from,
        isAssistant: true,
      });
      const warnings = created ? submissionWarnings(record) : [];
      const queued = execute && record.state === 'queued' ? await executed(record, assistant, home, warnings) : record;
      if (queued.state === 'queued') warnings.push(...queueWarnings(home, record.id));
      const answer = standingAnswer(assistant, home, queued);
      const lines = [`${created ? 'queued' : 'queued before by this request_id'}: ${answer.text}`];
      if (warnings.length > 0) lines.push(textOf(warnings.map((warning) => `warning: ${warning}`)));
      return { text: lines.join('\n'), document: { ...answer.document, warnings } };
    });
  },
});

/** Asks for the execution of a queued mission. A refusal becomes a warning, because the mission stays queued: it says how to ask again. */
async function executed(record: MissionRecord, { execute }: Assistant, home: Home, warnings: string[]): Promise<MissionRecord> {
  try {
    return (await execute?.(home, record.id)) ?? record;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const how = `to ask again, repeat the call with request_id ${record.id}`;
    warnings.push(`not executed: ${error.refusal.detail}; ${how}`);
    return record;
  }
}

export const draftTools = [missionDraft, missionSubmit];
