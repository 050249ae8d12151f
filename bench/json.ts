/**
 * The strict JSON reader as a ratio to `JSON.parse` on the same text of 512 KB, measured in turn in the same run: texts that are read, and the same
 * texts with a fault at the end. Goal: at most 3. Then bytes beside `TextDecoder` with `JSON.parse`, and the time for eight times the text.
 */
import { canonicalJson } from '../src/base/canonical-json.js';
import { sha256Hex } from '../src/base/hash.js';
import { parseJson, parseJsonBytes } from '../src/base/json-parse.js';
import { prng } from '../src/base/prng.js';
import { isRefused } from '../src/base/result.js';

export const name = 'json';

const text_chars = 524_288;
const rounds = 6;
/** The clock of processor time counts microseconds, some of them late. */
const repeats = 2;
const growth = 8;
const ratio_max = 3;

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

/** Returns the processor time in ms, which other programs on the machine change less than the elapsed time. */
function time(run: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < repeats; i++) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (1_000 * repeats);
}

interface Ratio {
  readonly base_ms: number;
  readonly ratio: number;
}

/** Measures both in turn and returns the ratio of the shortest times. */
function compare(base: () => unknown, run: () => unknown, count = rounds): Ratio {
  let [base_ms, run_ms] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < count; i++) {
    base_ms = Math.min(base_ms, time(base));
    run_ms = Math.min(run_ms, time(run));
  }
  return { base_ms, ratio: run_ms / base_ms };
}

function read(text: string): void {
  if (isRefused(parseJson(text))) throw new Error('a text of the bench is refused');
}

function refuse(text: string): void {
  if (!isRefused(parseJson(text))) throw new Error('a faulty text of the bench is read');
}

function attempt(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    return;
  }
  throw new Error('JSON.parse reads a faulty text of the bench');
}

/** Makes one string of its parts, as a text from outside is. */
const flat = (text: string): string => Buffer.from(text).toString();

export function run(print: (line: string) => void): void {
  print('text                               JSON.parse ms  read  refused  bytes  8 times as long');
  let worst = 0;
  for (const [title, make] of Object.entries(texts)) {
    const text = flat(make(text_chars));
    const faulty = flat(`${text.slice(0, -1)}"`);
    const bytes = Buffer.from(text);
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const reading = compare(
      () => JSON.parse(text),
      () => read(text),
    );
    const refusing = compare(
      () => attempt(faulty),
      () => refuse(faulty),
    );
    const decoding = compare(
      () => JSON.parse(decoder.decode(bytes)),
      () => parseJsonBytes(bytes),
    );
    const longer = flat(make(growth * text_chars));
    const growing = compare(
      () => read(text),
      () => read(longer),
      2,
    );
    worst = Math.max(worst, reading.ratio);
    const cells = [reading.ratio, refusing.ratio, decoding.ratio].map((ratio) => ratio.toFixed(2).padStart(6));
    print(
      `${title.padEnd(34)} ${reading.base_ms.toFixed(2).padStart(12)} ${cells.join(' ')}  ${growing.ratio.toFixed(1).padStart(8)}`,
    );
  }
  print(`highest ratio of reading: ${worst.toFixed(2)} (goal: at most ${ratio_max})`);
}
