/** The names that people read in place of the paths of a request: "Item 1, Id" for `work.items[0].id`. */

interface LabelWords {
  /** Blank for a part of the request that the form does not name. */
  readonly label: string;
  /** The noun for one entry of a list. */
  readonly one?: string;
  readonly members?: Readonly<Record<string, LabelWords>>;
}

export type Labels = Readonly<Record<string, LabelWords>>;

/** Returns a word as it begins a label. */
export const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Returns the name of the entry of a list at a place counted from 0: "Item 1". */
export const entryName = (noun: string, place: number): string => `${capital(noun)} ${place + 1}`;

/** Returns the name of a path; members that have no words keep their own name, entries of a list that has no noun their number. */
export function labelOf(path: string, labels: Labels): string {
  const names: string[] = [];
  let within: Labels | undefined = labels;
  let list: LabelWords | undefined;
  for (const [, member, place] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (member !== undefined) {
      const found: LabelWords | undefined = within !== undefined && Object.hasOwn(within, member) ? within[member] : undefined;
      names.push(found === undefined ? member : found.label);
      [list, within] = [found, found?.members];
      continue;
    }
    if (list?.one === undefined) names.push(String(Number(place) + 1));
    else names.splice(-1, 1, entryName(list.one, Number(place)));
    list = undefined;
  }
  return names.filter((name) => name !== '').join(', ');
}

/** What a form says about a member of a request. */
interface FieldLabel {
  readonly label: string;
  readonly hint?: string;
  /** The choice that leaves the member out. */
  readonly blank?: string;
}

/** A member that is one of a few words has a name for each of them. */
export type MemberWords<V = string> = [V] extends [string]
  ? string extends V
    ? FieldLabel
    : FieldLabel & { readonly options: { readonly [C in V]: string } }
  : [V] extends [boolean]
    ? FieldLabel & { readonly options: { readonly [C in `${V}`]: string } }
    : FieldLabel;

/** The words of any member, as the controls read them. */
export type AnyWords = FieldLabel & { readonly options?: Readonly<Record<string, string>> };

/** Tells whether a fault's path is the field's path or lies within it. */
export const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

/** Returns the field of the page that a fault belongs to: the one with the longest path that holds it. */
export function fieldFor(path: string, fields: readonly string[]): string | null {
  const holding = fields.filter((field) => isWithin(path, field)).toSorted((a, b) => b.length - a.length);
  return holding[0] ?? null;
}
