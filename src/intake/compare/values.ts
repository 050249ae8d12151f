/** Compares two works member by member, and counts the values that come from a file. */
import type { Json } from '../../base/canonical-json.js';
import { isObject } from '../../codec/faults.js';
import type { Difference } from './types.js';

/** Compares what a request says with what a file gives. */
export class ValueComparison {
  same = 0;
  all = 0;
  changed = 0;
  /** The first one, in the order of the request; its place is a path. */
  difference: Difference | null = null;

  /**
   * @param changes paths of values that a person changed, which are not compared
   * @param isCounted whether the value with a path comes from the file
   */
  constructor(
    private readonly changes: readonly string[],
    private readonly isCounted: (path: string) => boolean,
  ) {}

  compare(path: string, recorded: Json | undefined, found: Json | undefined): void {
    if (this.changes.includes(path) || this.changes.includes('work')) this.changed += 1;
    else if (Array.isArray(recorded) && Array.isArray(found)) this.items(path, recorded, found);
    else if (isObject(recorded) && isObject(found)) {
      for (const name of new Set([...Object.keys(recorded), ...Object.keys(found)]))
        this.compare(`${path}.${name}`, recorded[name], found[name]);
    } else this.value(path, recorded, found);
  }

  private items(path: string, recorded: readonly Json[], found: readonly Json[]): void {
    const length = Math.min(recorded.length, found.length);
    for (let i = 0; i < length; i++) this.compare(`${path}[${i}]`, recorded[i], found[i]);
    if (recorded.length !== found.length) this.differ(path, `${recorded.length} entries`, `${found.length} entries`);
    for (let i = length; i < recorded.length; i++) this.all += 1;
  }

  private value(path: string, recorded: Json | undefined, found: Json | undefined): void {
    const isSame = JSON.stringify(recorded) === JSON.stringify(found);
    if (this.isCounted(path)) {
      this.all += 1;
      if (isSame) this.same += 1;
    }
    if (!isSame) this.differ(path, shown(recorded), shown(found));
  }

  private differ(path: string, recorded: string, found: string): void {
    this.difference ??= { place: path, recorded, found };
  }
}

const shown_chars_max = 200;

export const shown = (value: Json | undefined): string => {
  const text =
    value === undefined ? 'nothing' : value === null ? 'a gap' : typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  return text.length > shown_chars_max ? `${text.slice(0, shown_chars_max).toWellFormed()}…` : text;
};
