/** Draws the inputs of a mission for a terminal. Nothing is cut but long documents. */
import { kind as kindCodec } from '../codec/kinds.js';
import type { InputCell } from '../kinds/inputs.js';
import { missionKind } from '../kinds/table.js';
import { clean } from '../pictures/columns.js';
import { count, figure } from '../pictures/screen.js';
import { apart, facts, grid, heading, programLines } from '../pictures/layout.js';
import { screen } from './table.js';
import { paint } from './text.js';

const digits_max = 15;

/** A text that is longer, such as a document, is cut. */
const text_chars_max = 600;

function cellText(cell: InputCell): string {
  if (typeof cell === 'number') return figure(cell, digits_max);
  const text = clean(cell ?? '');
  const left = text.length - text_chars_max;
  return left > 0 ? `${text.slice(0, text_chars_max)} (and ${count(left, 'more character')}; --json has all)` : text;
}

const isNumeric = (cell: InputCell | undefined): boolean => typeof cell === 'number' || cell === null;

/** Returns the lines of a request's inputs; none after its erasure. */
export function inputLines({ kind, request }: { readonly kind: string; readonly request: unknown }, on = screen()): string[] {
  const inputs = kindCodec.is(kind) ? missionKind(kind).inputs(request) : null;
  if (inputs === null) return [];
  const { facts: values, tables, listing, names = {} } = inputs;
  const nameOf = (name: string): string => names[name] ?? name.replaceAll('_', ' ');
  const text = (member: string, value: InputCell): string => names[`${member}.${String(value)}`] ?? cellText(value);
  const drawn = apart([
    facts(
      values.map(([member, value]) => [nameOf(member), text(member, value)]),
      on,
    ),
    listing === undefined ? [] : [heading(nameOf(listing.member), on), ...programLines(listing.text, on)],
    ...tables.map(({ member, columns, rows }) => [
      heading(nameOf(member), on),
      ...grid(
        [columns.map(nameOf), ...rows.map((row) => row.map((cell, x) => text(columns[x] ?? '', cell)))],
        columns.map((_, x) => rows.every((row) => isNumeric(row[x]))),
        on,
      ),
    ]),
  ]);
  return ['', paint.out('bold', 'inputs'), ...drawn];
}
