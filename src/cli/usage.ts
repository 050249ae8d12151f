/** The texts of usage errors: each names the word, flag or argument and says what is expected. */
import type { Refusal } from '../base/refusal.js';

/** Joins names as a sentence does: `a`, `a and b`, `a, b and c`. */
export const joined = (names: readonly string[], word = 'and'): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1) ?? ''}`;

const be = (names: readonly unknown[]): string => (names.length === 1 ? 'is' : 'are');

export const missing = (names: readonly string[]): string => `${joined(names)} ${be(names)} missing`;
export const excluding = (names: readonly string[]): string => `${joined(names)} cannot be used together`;

export const unexpected = (words: readonly string[]): string =>
  `${joined(words.map((word) => `"${word}"`))} ${be(words)} not expected here`;

/** The parts of the parser's errors that name what is wrong. */
interface ParserError {
  readonly message: string;
  readonly args?: unknown;
  readonly flags?: unknown;
  readonly parse?: { readonly input?: { readonly flags?: Readonly<Record<string, unknown>> } };
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((flag: unknown) => (typeof flag === 'string' ? flag : nameOf(flag))) : [];
const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name).toUpperCase() : '';

/** One of the parser's reasons, and the program's text for it. */
const reasons: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^Command (.+) not found\.$/s, (name) => `there is no command ${name.replaceAll(':', ' ')}`],
  [/^Missing required flag (\S+)$/, (flag) => missing([`--${flag}`])],
  [/^Flag --(\S+) expects a value$/, (flag) => `--${flag} needs a value`],
  [/^Flag --(\S+) expects one of these values: (.+)$/, (flag, values) => `--${flag} needs a value: ${oneOf(values)}`],
  [/^Expected --([^=\s]+)=(.*) to be one of: (.+)$/s, (flag, value, values) => `--${flag}: "${value}" must be ${oneOf(values)}`],
  [/^Expected (.*) to be one of: (.+)$/s, (value, values) => `"${value}" must be ${oneOf(values)}`],
  [
    /^(?:Parsing )?--(\S+):?\s+Expected an integer but received:\s*(.*)$/s,
    (flag, value) => `--${flag}: "${value}" must be a whole number`,
  ],
  [
    /^(?:Parsing )?--(\S+):?\s+Expected an integer (greater|less) than or equal to (\S+) but received: (.*)$/s,
    (flag, than, limit, value) => `--${flag}: ${value} must be at ${than === 'greater' ? 'least' : 'most'} ${limit}`,
  ],
  [
    /^--(\S+?)(?:=.*)? cannot also be provided when using --(\S+)$/s,
    (one, other) => excluding([`--${one}`, `--${other}`].toSorted()),
  ],
  [/^Exactly one of the following must be provided: (.+)$/, (flags) => missing([joined(flags.split(', '), 'or')])],
  [
    /^All of the following must be provided when using --(\S+): (.+)$/,
    (flag, flags) => `--${flag} needs ${joined(flags.split(', '))}`,
  ],
  [/^At least one of the following must be provided: (.+)$/, (flags) => missing([joined(flags.split(', '), 'or')])],
];

const oneOf = (values: string): string => joined(values.split(', '), 'or');

function reworded(reason: string): string {
  for (const [pattern, words] of reasons) {
    const found = pattern.exec(reason);
    if (found !== null) return words(...found.slice(1));
  }
  return reason;
}

function unknownFlags(names: readonly string[], parse: ParserError['parse']): string {
  const known = Object.keys(parse?.input?.flags ?? {}).map((name) => `--${name}`);
  const near = [...new Set(names.flatMap((name) => nearest(name, known)))];
  return `there is no flag ${joined(names, 'or')}${near.length === 0 ? '' : `; did you mean ${joined(near, 'or')}?`}`;
}

/** Returns a sentence for an error of the parser. */
export function usageText({ message, args, flags, parse }: ParserError): string {
  const names = texts(args ?? flags);
  if (message.startsWith('Missing ') && names.length > 0) return missing(names);
  if (message.startsWith('Unexpected ') && names.length > 0) return unexpected(names);
  if (message.startsWith('Nonexistent ') && names.length > 0) return unknownFlags(names, parse);
  const lines = (message.split('\nSee more help')[0] ?? message)
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '' && !/^The following errors? occurred:$/.test(line));
  // A parser's own error follows a line that names its flag.
  const said = lines
    .join('\n')
    .replaceAll(/^(Parsing --\S+)\n/gm, '$1 ')
    .split('\n');
  return [...new Set(said.map(reworded))].join('; ');
}

const shown_max = 3;
const prefix_chars_min = 3;

/** Returns the number of characters to insert, delete, replace or swap with their neighbour that turn one word into the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const at = (cells: readonly number[], k: number): number => cells[k] ?? Number.POSITIVE_INFINITY;
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Returns the nearest names, the nearest first: those with at most a third of their characters wrong, or that begin with the word. */
export function nearest(word: string, names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const begins = word.length >= prefix_chars_min && name.startsWith(word);
    const far = begins ? 0 : distance(word, name);
    return begins || far <= Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)) ? [{ name, far }] : [];
  });
  return found
    .toSorted((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, shown_max)
    .map(({ name }) => name);
}

/** @param ids of the known commands, such as `token:list` */
export function unknownCommand([first = '', ...rest]: readonly string[], ids: readonly string[]): Refusal {
  const hint = 'agent-cli --help';
  if (first.startsWith('-')) {
    const reason = /^--(?:home|json)\b/.test(first)
      ? 'a command is missing'
      : `${first} stands before the command, where only --home may`;
    return { code: 'invalid', detail: `${reason}: agent-cli [--home DIR] COMMAND`, hint };
  }
  const names = ids.map((id) => id.replaceAll(':', ' '));
  const name = names.some((known) => known.startsWith(`${first} `)) ? [first, ...rest.splice(0, 1)].join(' ') : first;
  if (names.includes(name)) return { code: 'invalid', detail: unexpected(rest), hint: `agent-cli ${name} --help` };
  const near = nearest(name, names);
  const meant = near.length === 0 ? '' : `; did you mean ${joined(near, 'or')}?`;
  return { code: 'not_found', detail: `there is no command ${name}${meant}`, hint };
}
