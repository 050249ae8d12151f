/** Reads the files of a request again and compares what they say with what it says. */
import { sha256Hex } from '../../base/bytes.js';
import { isRefused } from '../../base/refusal.js';
import { readDocument } from '../documents/read.js';
import { readTable } from '../read.js';
import type { InputFile, Workbook } from '../types.js';
import { compareDocument } from './documents.js';
import type { FileComparison, Found, Origin, RecordedMission } from './types.js';
import type { Json } from '../../base/canonical-json.js';
import { decode } from '../../codec/kit.js';
import { workCodec, type MissionRequest } from '../../kinds/request.js';
import { workFromTable } from '../mapping/draft.js';
import { isTableKind } from '../mapping/synonyms.js';
import type { WorkDraft } from '../mapping/work.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import { ValueComparison } from './values.js';

/** Returns a comparison for each file of the request, in their order. */
export async function compareFiles(recorded: RecordedMission, files: readonly InputFile[]): Promise<readonly FileComparison[]> {
  const origins = recorded.request.provenance?.files ?? [];
  const given = matched(origins, files);
  const comparisons: FileComparison[] = [];
  for (const [i, origin] of origins.entries()) {
    const file = given[i];
    comparisons.push(
      file === undefined
        ? { ...unknown(origin.name ?? `file ${i + 1}`, false), reason: 'the file was not given' }
        : await compareFile(recorded, origin, i, file),
    );
  }
  return comparisons;
}

const unknown = (file: string, is_same_file: boolean) => ({ file, same: null, is_same_file, difference: null });

/** Returns the file for each that the request names: by its hash, else by its name, else by its position among the others. */
function matched(origins: readonly Origin[], files: readonly InputFile[]): readonly (InputFile | undefined)[] {
  const left = new Set(files);
  const given: (InputFile | undefined)[] = origins.map(() => undefined);
  const take = (fits: (file: InputFile, origin: Origin) => boolean): void =>
    origins.forEach((origin, i) => {
      const file = given[i] === undefined ? [...left].find((each) => fits(each, origin)) : undefined;
      if (file === undefined) return;
      given[i] = file;
      left.delete(file);
    });
  const hashes = new Map(files.map((file) => [file, sha256Hex(file.bytes)]));
  take((file, { sha256 }) => hashes.get(file) === sha256);
  take(({ name }, origin) => name === origin.name);
  if (left.size === given.filter((file) => file === undefined).length) take(() => true);
  return given;
}

async function compareFile(recorded: RecordedMission, origin: Origin, index: number, file: InputFile): Promise<FileComparison> {
  const name = origin.name ?? file.name;
  const is_same_file = sha256Hex(file.bytes) === origin.sha256;
  const found = await foundIn(recorded, origin, index, { name, bytes: file.bytes });
  if (typeof found === 'string') {
    const difference = { place: 'the file', recorded: `read by ${origin.reader}`, found };
    return { file: name, same: false, is_same_file, difference, reason: null };
  }
  const { reader, version, ...counts } = found;
  const isSame = counts.difference === null && (counts.quotes === undefined || counts.quotes.same === counts.quotes.all);
  if (!isSame && (reader !== origin.reader || version !== origin.version)) {
    const reason = `read by ${origin.reader} ${origin.version}, this is ${reader} ${version}`;
    return { ...unknown(name, is_same_file), reason };
  }
  return { file: name, same: isSame, is_same_file, ...counts, reason: null };
}

/** Returns what a file says beside the request, or why it is not read. */
async function foundIn(recorded: RecordedMission, origin: Origin, index: number, file: InputFile): Promise<Found | string> {
  if (recorded.request.work.kind !== 'research') {
    const workbook = await readTable(file.bytes);
    return isRefused(workbook) ? workbook.left.detail : compareTable(recorded.request, origin, file.name, workbook.right);
  }
  const document = await readDocument(file);
  return isRefused(document) ? document.left.detail : compareDocument(recorded, index, origin.name ?? null, document.right);
}

// Compares a request with the table that it was made from, value by value and gap by gap.

type Work = Extract<WorkDraft, { readonly outcome: 'work' }>;

/** Returns how a table compares with the request. @param name the name of the file in messages */
export function compareTable({ work, provenance }: MissionRequest, origin: Origin, name: string, workbook: Workbook): Found {
  const { reader, version } = workbook;
  const whole = (found: string): Found => ({ reader, version, difference: { place: 'the table', recorded: 'read', found } });
  const { kind } = work;
  if (!isTableKind(kind)) return whole(`a mission of the kind ${kind} is made from no table`);
  const read = workFromTable(kind, name, workbook, optionsOf(work, origin));
  if ('message' in read) return whole(read.message);
  const { drafted, table } = read;
  if (drafted.outcome === 'invalid') return whole(drafted.errors[0]?.message ?? '');
  if (drafted.outcome === 'choice_needed') return whole(drafted.choices[0]?.message ?? '');
  return { reader, version, ...compareWork(work, drafted, setMembers(origin), table.sheet, provenance?.changed ?? []) };
}

function compareWork(
  work: MissionRequest['work'],
  drafted: Work,
  set: readonly string[],
  sheet: string | null,
  changes: readonly string[],
): Pick<Found, 'values' | 'changed' | 'difference'> {
  const recorded = work as unknown as Readonly<Record<string, Json>>;
  const members = Object.keys(drafted.work).filter((member) => !set.includes(member));
  const given = Object.fromEntries(members.map((member) => [member, drafted.work[member]]));
  // Decoding fills in the defaults that a request has and a draft leaves out.
  const decoded = decode(workCodec, { ...recorded, ...given });
  const found = (isRefused(decoded) ? given : decoded.right) as Readonly<Record<string, Json>>;
  const originOf = (path: string) => drafted.originOf(path.replace(/^work\./, ''));
  const comparison = new ValueComparison(changes, (path) => {
    const member = originOf(path)?.member;
    return /^work\.(?:observations\[|regressors\.)/.test(path) || (member !== undefined && drafted.columns.has(member));
  });
  for (const member of members) comparison.compare(`work.${member}`, recorded[member], found[member]);
  const { same, all, changed, difference } = comparison;
  const placed = difference && { ...difference, place: placeOf(difference.place, drafted, sheet) ?? difference.place };
  return { values: { same, all }, ...(changed > 0 ? { changed } : {}), difference: placed };
}

/** Returns the cell of a value, as a spreadsheet names it. */
function placeOf(path: string, { originOf, columns }: Work, sheet: string | null): string | null {
  const origin = originOf(path.replace(/^work\./, ''));
  const column = origin === null ? undefined : columns.get(origin.member);
  if (origin === null || column === undefined) return null;
  const cell = `${column.letter}${origin.row}${column.name === '' ? '' : ` (column "${column.name}")`}`;
  return sheet === null ? cell : `sheet "${sheet}", ${cell}`;
}

/** Returns the options with which the file was read. */
function optionsOf(work: MissionRequest['work'], { sheet, mapping = {}, choices = {} }: Origin): IntakeOptions {
  // The columns are in the mapping.
  const { set: _set, column: _column, dateColumn: _dateColumn, ...chosen } = choices;
  const unit = work.kind === 'schedule' ? /^(?:minute|hour|day)(?=s$)/.exec(work.unit)?.[0] : undefined;
  const gaps = work.kind === 'forecast' ? work.gaps : undefined;
  return {
    ...chosen,
    ...(unit === undefined ? {} : { unit }),
    ...(gaps === undefined ? {} : { gaps }),
    ...(sheet === undefined ? {} : { sheet }),
    // A file may have regressors for more steps than were forecast.
    ...(work.kind === 'forecast' && work.regressors !== undefined ? { set: { horizon: work.horizon } } : {}),
    map: mapping,
  } as IntakeOptions;
}

/** Returns the members that were given beside the file. */
function setMembers({ choices }: Origin): readonly string[] {
  const set = choices?.['set'];
  return Array.isArray(set) ? set.filter((name) => typeof name === 'string') : [];
}
