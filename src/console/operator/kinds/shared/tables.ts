/** Tables of things that have names: what people call a thing is its title, or its id where the id is their own. */
import type { Fields } from '../../../../codec/field.js';
import { idPattern } from '../../../../codec/scalars.js';
import { memberValues } from '../../../kit/forms/values.js';
import { type Cells, isBlankRow } from '../../../kit/grid/cells.js';

type IdAndTitle = { readonly id: string; readonly title?: string | undefined };

/** Ids that a reader of files, or this page, makes for things that have only a title. */
const madeId = /^(?:item|job|machine)-[0-9]+$/;

export const isMade = ({ id, title }: IdAndTitle): boolean => title !== undefined && title !== '' && madeId.test(id);

/** Returns what people call a thing. */
export const nameOf = (thing: IdAndTitle): string => (isMade(thing) ? (thing.title ?? thing.id) : thing.id);

/** A row that is not blank, and where it is. */
export type TableRow = { readonly row: number; readonly texts: readonly string[] };

export const tableRows = (cells: Cells): readonly TableRow[] =>
  cells.flatMap((texts, row) => (isBlankRow(texts) ? [] : [{ row, texts: texts.map((text) => text.trim()) }]));

/** The ids of names: those that are known, names that are ids themselves, and new ones for every other name. */
export class Ids {
  private readonly byName = new Map<string, string>();
  private readonly used = new Set<string>();

  constructor(private readonly prefix: string) {}

  /** Keeps the id that a thing has. */
  know(name: string, id: string): void {
    if (name === '' || id === '' || this.byName.has(name)) return;
    this.byName.set(name, id);
    this.used.add(id);
  }

  of(name: string): string {
    const known = this.byName.get(name);
    if (known !== undefined || name === '') return known ?? '';
    let id = name;
    for (let n = this.byName.size + 1; !idPattern.test(id) || this.used.has(id); n++) id = `${this.prefix}-${n}`;
    this.know(name, id);
    return id;
  }
}

/** Returns the members that the texts of a row give; blank ones are left out where they may be. */
export const rowValues = <N extends string>(
  names: readonly N[],
  fields: Readonly<Record<N, Fields[string]>>,
  texts: readonly string[],
): Readonly<Record<N, unknown>> =>
  memberValues(fields, Object.fromEntries(names.map((name, col) => [name, texts[col] ?? ''])) as Record<N, string>);
