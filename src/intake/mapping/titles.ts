/** Ids for things that people name: the ids are neutral, so that erasing a request erases the names. */
import { title_chars_max } from '../../base/limits.js';
import { shorten } from '../../base/text.js';
import { fold } from '../cells/fold.js';
import { namesText } from './faults.js';

export interface IdAndTitle {
  readonly id: string;
  readonly title: string;
}

/** Gives each name an id, equal names the same. */
export class Titles {
  private readonly byName = new Map<string, IdAndTitle>();
  private number = 0;

  /** @param prefix what the ids begin with @param taken ids that the file itself has */
  constructor(
    private readonly prefix: string,
    private readonly taken: ReadonlySet<string> = new Set(),
  ) {}

  entry(name: string): IdAndTitle {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    do this.number++;
    while (this.taken.has(`${this.prefix}-${this.number}`));
    const entry = { id: `${this.prefix}-${this.number}`, title: titleOf(name) };
    this.byName.set(name, entry);
    return entry;
  }

  get entries(): readonly { readonly id: string; readonly title: string }[] {
    return [...this.byName.values()];
  }

  /** Names that people may have meant to be one, and names that were cut. */
  get notes(): readonly string[] {
    const folded = new Map<string, string[]>();
    for (const name of this.byName.keys()) folded.set(fold(name), [...(folded.get(fold(name)) ?? []), name]);
    const alike = [...folded.values()].filter((names) => names.length > 1);
    const long = [...this.byName.keys()].filter((name) => name.length > title_chars_max);
    return [
      ...alike.map((names) => `${namesText(names)} are written differently and taken as different ${this.prefix}s.`),
      ...(long.length === 0 ? [] : [`Names of ${this.prefix}s were cut to ${title_chars_max} characters: ${long.length}.`]),
    ];
  }
}

/** Returns a name as a title, cut to what a title may have. */
export const titleOf = (name: string): string => shorten(name, title_chars_max);
