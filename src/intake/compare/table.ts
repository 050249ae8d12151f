/** Compares a request with the table that it was made from, value by value and gap by gap. */
import type { Json } from '../../base/canonical-json.js';
import { isRefused } from '../../base/refusal.js';
import { decode } from '../../codec/kit.js';
import { workCodec, type MissionRequest } from '../../kinds/request.js';
import { workFromTable } from '../mapping/draft.js';
import { isTableKind } from '../mapping/synonyms.js';
import type { Drafted } from '../mapping/work.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import type { Workbook } from '../types.js';
import type { Difference, Found, Origin } from './types.js';
import { ValueComparison } from './values.js';

type Work = Extract<Drafted, { readonly outcome: 'work' }>;

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
  const placed: Difference | null =
    difference === null
      ? null
      : {
          place: placeOf(difference.path, drafted, sheet) ?? difference.path,
          recorded: difference.recorded,
          found: difference.found,
        };
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
