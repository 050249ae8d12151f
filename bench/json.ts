/**
 * The strict JSON reader on texts of 512 KB: the processor time for a body over HTTP, which is refused when it has too many values, and for a file, whose values are
 * not counted, beside `TextDecoder` with `JSON.parse`. Goal: at most 60 ms for any body.
 */
import { canonicalJson } from '../src/base/canonical-json.js';
import { sha256Hex } from '../src/base/bytes.js';
import { parseJsonBytes } from '../src/base/json.js';
import { body_values_max } from '../src/base/limits.js';
import { prng } from '../src/base/prng.js';

export const name = 'json';

const text_chars = 524_288;
const rounds = 8;
const read_ms_max = 60;

const random = prng(1);
const number = (): number => random.uint32();
/** Another number of 32 bits for each i, without a pattern. */
const distinct = (i: number): number => Math.imul(i, 2_654_435_761) >>> 0;

/** Joins items to so many characters between an opening and a closing text. */
function joined(open: string, close: string, item: (i: number) => string, chars: number): string {
  const items: string[] = [];
  for (let i = 0, length = 0; length < chars; i++) {
    const next = item(i);
    items.push(next);
    length += next.length + 1;
  }
  return open + items.join(',') + close;
}

const list =
  (item: (i: number) => string) =>
  (chars: number): string =>
    joined('[', ']', item, chars);
const object =
  (member: (i: number) => string) =>
  (chars: number): string =>
    joined('{', '}', member, chars);
const long =
  (part: string) =>
  (chars: number): string =>
    `["${part.repeat(chars / part.length)}"]`;

/** The body of an entry, as the journal has it. */
const entry = (i: number): string =>
  canonicalJson({
    document: {
      actor: 'operator',
      goal: 'Sequence the orders of one week so that the last one leaves early.',
      request_hash: sha256Hex(`${i}`),
    },
    identity: `urn:agialpha:ed25519:${sha256Hex('key')}`,
    incarnation: sha256Hex('home').slice(0, 32),
    mission: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    previous: sha256Hex(`${i - 1}`),
    schema: 2,
    sequence: i + 1,
    time: '2026-01-01T00:00:00.000000Z',
    type: 'mission.submitted',
    version: 1,
  });

const objectOf = (count: number, name: (i: number) => string): string =>
  `{${Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join(',')}}`;

const texts: Readonly<Record<string, (chars: number) => string>> = {
  'numbers of one digit': list(() => '1'),
  'numbers of any length': list(() => `${number() % 100_000}`),
  fractions: list(() => `${number() / 2 ** 32}`),
  'numbers with exponents': list((i) => `${i % 10}e5`),
  'integers near 2^53': list(() => '9007199254740991'),
  'negative zeros': list(() => '-0'),
  'objects with short keys': list((i) => `{"a":${i % 10},"b":2}`),
  'objects with 30 keys': list(() => `{${Array.from({ length: 30 }, (_, i) => `"k${i}":1`).join(',')}}`),
  'an object with many keys': object((i) => `"k${distinct(i)}":${i}`),
  'an object with index keys': object((i) => `"${distinct(i)}":1`),
  'an object with long, similar keys': object((i) => `"${'k'.repeat(64)}${i}":1`),
  'keys with escapes': object((i) => `"\\u0061${i}":1`),
  'empty arrays': list(() => '[]'),
  'empty objects': list(() => '{}'),
  'arrays 60 deep': list(() => '['.repeat(60) + ']'.repeat(60)),
  literals: list((i) => ['true', 'false', 'null'][i % 3] ?? ''),
  'short strings': list((i) => `"value ${i}"`),
  'strings of 100 characters': list((i) => `"${String(i).padStart(100, 'x')}"`),
  'a long string': long('x'),
  'a long string beyond Latin-1': long('é€'),
  'a string of escapes': long('\\n'),
  'a string of \\u escapes': long('\\u00e9'),
  'a string of surrogate pairs': long('\\ud83d\\ude00'),
  'strings with some escapes': list(() => `"${'x'.repeat(20)}\\n${'y'.repeat(20)}"`),
  'strings of 17 characters': list(() => `"${'x'.repeat(17)}"`),
  'strings of 17 characters and an escape': list(() => `"${'x'.repeat(17)}\\n"`),
  'strings of 300 characters and an escape': list(() => `"${'x'.repeat(150)}\\n${'y'.repeat(150)}"`),
  'strings with an escape at every tenth place': list(() => `"${`${'x'.repeat(9)}\\n`.repeat(5)}"`),
  'strings with an escaped surrogate pair': list(() => `"${'x'.repeat(30)}\\ud83d\\ude00"`),
  'strings of euro signs': list(() => `"${'€'.repeat(40)}"`),
  'strings of characters with the bytes of quotes': list(() => `"${'\u2222'.repeat(40)}"`),
  'strings of surrogate pairs': list(() => `"${'😀'.repeat(20)}"`),
  'ASCII strings, one other at the end': (chars) => `["${'x'.repeat(40)}",${list(() => `"${'x'.repeat(40)}"`)(chars)},"€"]`,
  'long names': list(() => `{"${'k'.repeat(40)}":1}`),
  '12 names that differ in the middle': list(() => objectOf(12, (i) => `${'k'.repeat(12)}${10 + i}${'k'.repeat(12)}`)),
  '13 names that differ in the middle': list(() => objectOf(13, (i) => `${'k'.repeat(12)}${10 + i}${'k'.repeat(12)}`)),
  '13 long names that differ in the middle': list(() => objectOf(13, (i) => `${'k'.repeat(30)}${10 + i}${'k'.repeat(30)}`)),
  'two names with escapes': list(() => `{"${'a'.repeat(20)}\\n":1,"b\\n":2}`),
  'negative zeros in objects': list(() => '{"a":-0}'),
  'negative zeros in white space': list(() => `${' '.repeat(30)}-0`),
  'long exponents of zero': list(() => `0e${'9'.repeat(60)}`),
  'exponents with many zeros': list(() => `1e${'0'.repeat(300)}5`),
  'runs of 40 blanks': list(() => `${' '.repeat(40)}1`),
  'runs of 100 blanks': list(() => `${' '.repeat(100)}1`),
  'runs of 60 newlines': list(() => `${'\n'.repeat(60)}1`),
  'white space': (chars) => `[${' '.repeat(chars)}]`,
  'indented objects': (chars) =>
    JSON.stringify(JSON.parse(joined('[', ']', (i) => `{"alpha":${i},"beta":"xyz","list":[1,2]}`, chars / 2)), null, 2),
  'journal entries': list(entry),
};

/** Returns the shortest of a few processor times in ms, which other programs on the machine change less than the elapsed time. */
function shortest(run: () => unknown): number {
  let shortest_us = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    shortest_us = Math.min(shortest_us, user + system);
  }
  return shortest_us / 1_000;
}

export function run(print: (line: string) => void): void {
  print('text                               JSON.parse ms    body    file');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let worst = 0;
  for (const [title, make] of Object.entries(texts)) {
    const bytes = Buffer.from(make(text_chars));
    const base_ms = shortest(() => JSON.parse(decoder.decode(bytes)));
    const body_ms = shortest(() => parseJsonBytes(bytes, { valuesMax: body_values_max }));
    const file_ms = shortest(() => parseJsonBytes(bytes));
    worst = Math.max(worst, body_ms);
    const cells = [body_ms, file_ms].map((ms) => ms.toFixed(1).padStart(7));
    print(`${title.padEnd(34)} ${base_ms.toFixed(1).padStart(13)} ${cells.join(' ')}`);
  }
  print(`longest time for a body: ${worst.toFixed(1)} ms (goal: at most ${read_ms_max})`);
}
