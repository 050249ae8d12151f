/** The ranges of all values in a JSON text, so that a foreign document can be hashed as it is instead of being printed again. */
import type { Json } from './canonical-json.js';
import { nameIn } from './json-names.js';

export interface JsonNode {
  readonly value: Json;
  /** Range in the text, in UTF-16 code units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Members of an object, in the order of the text. */
  readonly members: ReadonlyMap<string, JsonNode> | null;
  /** Items of an array. */
  readonly items: readonly JsonNode[] | null;
}

/** Returns the node of a text that the strict reader accepts. @param value what the text stands for */
export const nodeOf = (text: string, value: Json): JsonNode => new Ranges(text).node(value);

const space = /[ \t\n\r]*/y;
const tokenEnd = /[^ \t\n\r,\]}]*/y;

class Ranges {
  private at = 0;
  constructor(private readonly text: string) {}

  node(value: Json): JsonNode {
    this.pass(space);
    const start = this.at;
    if (typeof value === 'string') this.string();
    else if (typeof value !== 'object' || value === null) this.pass(tokenEnd);
    else if (isArray(value)) return this.array(value, start);
    else return this.object(value, start);
    return { value, start, end: this.at, members: null, items: null };
  }

  private array(value: readonly Json[], start: number): JsonNode {
    this.at++;
    const items = value.map((item) => {
      const node = this.node(item);
      this.next();
      return node;
    });
    if (items.length === 0) this.next();
    return { value, start, end: this.at, members: null, items };
  }

  private object(value: { readonly [name: string]: Json }, start: number): JsonNode {
    const members = new Map<string, JsonNode>();
    this.at++;
    this.pass(space);
    if (this.text[this.at] === '}') this.at++;
    else {
      do {
        this.pass(space);
        const nameAt = this.at;
        this.string();
        const name = nameIn(this.text, nameAt, this.at);
        this.next();
        members.set(name, this.node(value[name] ?? null));
      } while (this.next() === ',');
    }
    return { value, start, end: this.at, members, items: null };
  }

  private string(): void {
    do this.at = this.text.indexOf('"', this.at + 1);
    while (isEscaped(this.text, this.at));
    this.at++;
  }

  /** Skips white space and the colon, comma or bracket after it, which is returned. */
  private next(): string | undefined {
    this.pass(space);
    return this.text[this.at++];
  }

  private pass(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.test(this.text);
    this.at = pattern.lastIndex;
  }
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Returns whether an odd number of backslashes is before the character. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}
