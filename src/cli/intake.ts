/** Makes a mission of files for `new` and `run`, and asks the person at the terminal for what the files leave open. */
import * as path from 'node:path';
import type { Json } from '../base/canonical-json.js';
import { isRefused, RefusalError, unwrap } from '../base/refusal.js';
import { printable, standard_stream } from '../base/text.js';
import { decode } from '../codec/kit.js';
import { type IntakeChoice, type IntakeFault, type IntakeOptions, type IntakePreview, withOptions } from '../codec/api-intake.js';
import type { InputFile, Outcome } from '../intake/types.js';
import { missionRequest, type MissionRequest } from '../kinds/request.js';
import { type Ask, askAtTerminal } from './ask.js';
import { type ReadKind, scaleOf, valueOf } from './intake-flags.js';
import type { Work } from '../kinds/works.js';
import { clip, columnsOf, fit } from '../pictures/columns.js';
import { count, figure } from '../pictures/screen.js';
import { screen } from './table.js';
import { paint } from './text.js';

type Draft = Extract<Outcome, { readonly outcome: 'draft' }>;

interface MadeMission {
  readonly made: Draft;
  /** The draft, decoded. */
  readonly request: MissionRequest;
}

/**
 * Reads files, again after each answer.
 * @param mayAsk whether there is a person at the terminal
 * @throws RefusalError `invalid`, or `choice_needed` where nobody can be asked
 */
export async function makeMission(
  kind: ReadKind,
  files: readonly InputFile[],
  given: IntakeOptions,
  mayAsk: boolean,
): Promise<MadeMission> {
  const { readInProcess } = await import('../intake/process/reading.js');
  // The question is asked before the documents are read, which can take a while.
  const asked = new Set(kind === 'research' && given.goal === undefined && mayAsk ? ['goal'] : []);
  for (let options = withOptions(given, await askEach([...asked], askMember)); ; ) {
    const outcome = await readInProcess(kind, files, options);
    if (outcome.outcome === 'invalid') throw faultRefusal(outcome.errors);
    if (outcome.outcome === 'choice_needed') {
      if (!mayAsk) throw choiceRefusal(outcome.choices);
      options = withOptions(options, await askEach(outcome.choices, askChoice));
      continue;
    }
    const request = decode(missionRequest, outcome.draft);
    if (!isRefused(request)) return { made: outcome, request: request.right };
    const open = (request.left.errors ?? []).filter(
      ({ path: member, message }) => /^(?:required$|is needed )/.test(message) || asked.has(member),
    );
    const missing = open.map((fault) => fault.path);
    if (missing.length === 0) unwrap(request);
    if (!mayAsk) throw missingRefusal(missing);
    for (const fault of open) if (asked.has(fault.path)) tellFault(`${fault.path} ${fault.message}`);
    for (const member of missing) asked.add(member);
    options = withOptions(options, await askEach(missing, askMember));
  }
}

const unanswered = 'the question was not answered; nothing was written or queued';

const tellFault = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/** Asks for each of these things, again after an answer that cannot be read, and returns what the answers say together. */
const askEach = <A>(
  things: readonly A[],
  answer: (ask: Ask, thing: A) => Promise<Partial<IntakeOptions>>,
): Promise<Partial<IntakeOptions>> => {
  const answered = async (ask: Ask, thing: A): Promise<Partial<IntakeOptions>> => {
    for (;;) {
      try {
        return await answer(ask, thing);
      } catch (error) {
        if (!(error instanceof RefusalError) || error.refusal.code !== 'invalid') throw error;
        tellFault(error.refusal.detail);
      }
    }
  };
  if (things.length === 0) return Promise.resolve({});
  return askAtTerminal(
    async (ask) => {
      let options: IntakeOptions = {};
      for (const each of things) options = withOptions(options, await answered(ask, each));
      return options;
    },
    { unanswered },
  );
};

async function askChoice(ask: Ask, { about, message, readings }: IntakeChoice): Promise<Partial<IntakeOptions>> {
  process.stderr.write(`${printable(message)}\n`);
  readings.forEach(({ label }, i) => process.stderr.write(`  ${i + 1}  ${printable(label)}\n`));
  const question = `Your choice, ${readings.length === 1 ? '1' : `1 to ${readings.length}`}${about === 'risk' ? ', or numbers such as Low=1,High=5' : ''}: `;
  for (;;) {
    const text = (await ask(question)).trim();
    if (about === 'risk' && text.includes('=')) return { scale: scaleOf(text) };
    const answer = readings[Number(text) - 1];
    if (answer !== undefined) return answer.option;
  }
}

/** What members that no file has look like. */
const examples: Readonly<Record<string, string>> = { budget: 'NUMBER', start: '"2026-12-07 08:00"' };

function flagOf(path: string): string {
  const name = path.replace(/^work\./, '');
  return name === 'goal' ? '--goal TEXT' : `--set ${name}=${examples[name] ?? 'VALUE'}`;
}

/** Returns the refusal of a mission that lacks members which no file gives. */
function missingRefusal(paths: readonly string[]): RefusalError {
  const errors = paths.map((path) => ({ path, message: `is not in the file: give it with ${flagOf(path)}` }));
  return new RefusalError('invalid', errors.map(({ path, message }) => `${path} ${message}`).join('; '), { errors });
}

const questions: Readonly<Record<string, string>> = {
  goal: 'What do you want to know? ',
  budget: 'The budget, a number: ',
  start: 'When does the work start, such as 2026-12-01 08:00? ',
};

/** Asks for a member of the mission by its path, such as `work.budget`. */
async function askMember(ask: Ask, path: string): Promise<Partial<IntakeOptions>> {
  const name = path.replace(/^work\./, '');
  const text = (await ask(questions[name] ?? `${name}: `)).trim();
  return path === 'goal' ? { goal: text } : { set: { [name]: valueOf(text) } };
}

/** Returns the refusal of files, with each of its causes. */
function faultRefusal(errors: readonly IntakeFault[]): RefusalError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail =
    first === undefined ? 'the files cannot be read' : `${first.file === '' ? '' : `${first.file}: `}${first.message}${more}`;
  const hints = [...new Set(errors.flatMap(({ hint = [] }) => hint))];
  const hint = hints.length === 0 ? {} : { hint: hints.join(' ') };
  return new RefusalError('invalid', detail, { faults: errors, ...hint });
}

function choiceRefusal(choices: readonly IntakeChoice[]): RefusalError {
  const detail = choices.map(({ message }) => message).join('; ');
  return new RefusalError('choice_needed', detail, { choices });
}

/** Returns what was understood, in words, with the first rows of the table and the notes. */
export function understoodLines({ made, request }: MadeMission, files: readonly InputFile[]): string[] {
  const names = files.map(({ name }) => printable(name)).join(', ');
  return [
    `${names}: ${missionSentence(request.work, made.rows)}`,
    `goal: ${printable(request.goal)}`,
    ...(made.preview === undefined ? [] : ['', ...previewLines(made.preview)]),
    ...(made.notes.length === 0 ? [] : ['', ...made.notes.map((note) => `note: ${printable(note)}`)]),
    ...(made.preview?.sheets === undefined ? [] : ['', 'hint: --sheet NAME reads another sheet']),
  ];
}

/** The `--json` document of a mission that was made of files. */
export interface NewMission {
  readonly output: string;
  readonly kind: string;
  readonly rows: number;
  readonly notes: readonly string[];
  readonly provenance: Json;
  readonly draft: Json;
}

/** Returns the name of a mission file for a file or directory. */
export const missionName = (file: string, kind: string): string =>
  `${file === standard_stream ? kind : path.parse(path.resolve(file)).name}.json`;

// Says in words what was read from files: the mission, the table, and what a person should know of both.

const step_names: Readonly<Record<string, string>> = { business_day: 'business day', month_end: 'end of a month' };

/** Returns a mission as the rest of a sentence that begins with "This is". @param rows rows of the table or passages of the documents */
function missionSentence(work: Work, rows: number): string {
  switch (work.kind) {
    case 'forecast': {
      const { observations, horizon, start, step, unit } = work;
      const name = step === null ? '' : (step_names[step.unit] ?? step.unit);
      const every =
        step === null ? '' : step.count === 1 ? `, one for each ${name}` : `, one for every ${count(step.count, name)}`;
      const from = start === null ? '' : ` from ${start}`;
      return `a forecast of the next ${count(horizon, 'value')} of a series of ${observations.length}${unit === 'units' ? '' : ` (${printable(unit)})`}${every}${from}`;
    }
    case 'schedule': {
      const operations = work.jobs.flatMap((job) => job.operations);
      const machines = new Set(operations.map(({ machine }) => machine)).size;
      return `a schedule of ${count(work.jobs.length, 'job')}: ${count(operations.length, 'operation')} on ${count(machines, 'machine')}, times in ${printable(work.unit)}`;
    }
    case 'allocation':
      return `a choice among ${count(work.items.length, 'item')} within a budget of ${figure(work.budget)} ${printable(work.unit)}`;
    case 'research':
      return `research in ${count(rows, 'passage')} of ${count(work.sources.length, 'source')}`;
    default:
      return `a mission of the kind ${work.kind}`;
  }
}

const preview_rows = 5;
const cell_columns_max = 24;

/** Returns the first rows of a table, below the names of its columns and the members that these became. */
function previewLines({ columns, rows, total }: IntakePreview): string[] {
  const { columns: width, glyphs } = screen();
  const shown = rows.slice(0, preview_rows);
  const cell = (text: string): string => fit(printable(text), cell_columns_max, glyphs.more);
  const lines = [
    ['', ...columns.map(({ name }) => cell(name))],
    ['', ...columns.map(({ member }) => (member === null ? 'left out' : member))],
    ...shown.map(({ row, cells }) => [String(row), ...columns.map((_, i) => cell(cells[i] ?? ''))]),
  ];
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => columnsOf(line[i] ?? ''))));
  const text = lines.map((line) => line.map((each, i) => each + ' '.repeat((widths[i] ?? 0) - columnsOf(each))).join('  '));
  const more = total - shown.length;
  return [
    ...text.map((line, i) =>
      clip(i === 0 ? paint.out('bold', line) : i === 1 ? paint.out('grey', line) : line, width, glyphs.more).trimEnd(),
    ),
    ...(more > 0 ? [`and ${count(more, 'more row')}`] : []),
  ];
}
