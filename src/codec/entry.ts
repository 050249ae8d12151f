/**
 * The body of a journal entry (docs/journal-format). Schema 2 is this program's; schema 1 is the reference agent's, whose document is a
 * whole state and whose `time_ns` is above 2^53, so its text is never parsed into numbers that are printed again.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type JsonNode, parseJsonNode } from '../base/json.js';
import { formatTime, timeOfNanoseconds } from '../base/time.js';
import type { Result } from '../base/refusal.js';
import { decodeEvent, readEvent, type Event } from './event.js';
import { hash, incarnation, sequence, time, identity } from './scalars.js';
import { choice, decode, integer, mapOf, number, object, required, text } from './kit.js';
import { type Reading, readKnown } from './tolerant.js';

const stream = text({ min: 1, max: 300 });
const document = mapOf(t.unknown);

const bodySchema2 = object('Body', {
  document: required(document),
  identity: required(identity),
  incarnation: required(incarnation),
  mission: required(stream),
  previous: required(hash),
  schema: required(choice(2)),
  sequence: required(sequence),
  time: required(time),
  type: required(text({ min: 1, max: 64 })),
  version: required(integer(1, 1_000)),
});

const bodySchema1 = object('BodySchema1', {
  document: required(document),
  identity: required(identity),
  mission: required(stream),
  previous: required(hash),
  schema: required(choice(1)),
  sequence: required(sequence),
  time_ns: required(number(0, 1e19)),
});

export type Body2 = t.TypeOf<typeof bodySchema2>;
export type Body1 = t.TypeOf<typeof bodySchema1>;
export type Body = Body1 | Body2;

/** A decoded entry. `event` is null when this program cannot interpret it: it can still be verified. */
export interface Entry {
  readonly sequence: number;
  readonly stream: string;
  readonly identity: string;
  readonly previous: string;
  readonly hash: string;
  readonly signature: string;
  readonly text: string;
  readonly time: string;
  readonly incarnation: string | null;
  readonly event: Event | null;
  /** Describes what a newer program wrote and this one does not know; null when everything is known. */
  readonly unknown: string | null;
  /** The hash of its leaf in the tree, of an entry that was recorded just now. */
  readonly leaf?: Buffer;
}

export interface StoredEntry {
  readonly seq: number;
  readonly mission: string;
  readonly body: string;
  readonly hash: string;
  readonly signature: string;
}

/**
 * Decodes a body of either schema. The hash covers the text itself, so JSON.parse may read it; numbers of schema 1 beyond 2^53 are
 * rounded and only used for reading.
 */
export function decodeBody(bodyText: string): Result<Body> {
  const value = parseStored(bodyText);
  return value === undefined ? E.left({ code: 'malformed', detail: 'the body is not JSON' }) : decodeBodyValue(value);
}

const decodeBodyValue = (value: unknown): Result<Body> => decode<Body>(isSchema1(value) ? bodySchema1 : bodySchema2, value);

const isSchema1 = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'schema' in value && value.schema === 1;

function parseStored(bodyText: string): unknown {
  try {
    return JSON.parse(bodyText);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a stored row through the body's codec and its event's codec. What a newer program wrote is not refused: the known part of the
 * entry is read, and `unknown` describes the rest.
 */
export function decodeEntry(row: StoredEntry): Result<Entry> {
  const value = parseStored(row.body);
  if (value === undefined) return E.left({ code: 'malformed', detail: 'the body is not JSON' });
  const reading = readBody(value, row.body);
  return E.map(
    ({ body: b, event, unknown }: BodyReading): Entry => ({
      sequence: b.sequence,
      stream: b.mission,
      identity: b.identity,
      previous: b.previous,
      hash: row.hash,
      signature: row.signature,
      text: row.body,
      time: b.schema === 2 ? b.time : (timeOfNanoseconds(cut(row.body, ['time_ns'])) ?? formatTime(0)),
      incarnation: b.schema === 2 ? b.incarnation : null,
      event,
      unknown,
    }),
  )(reading);
}

export interface BodyReading {
  readonly body: Body;
  readonly event: Event | null;
  readonly unknown: string | null;
}

/** Returns a parsed body with its typed, upcast event. @param bodyText the text from which a member of schema 1 is cut */
export function readBody(value: unknown, bodyText: string): Result<BodyReading> {
  if (isSchema1(value))
    return E.chain((body: Body1) => E.map(whole(body))(upcastSchema1(body, bodyText)))(decode(bodySchema1, value));
  const reading = readKnown<Body2>(bodySchema2, (given) => decode(bodySchema2, given), value);
  if (E.isLeft(reading)) return reading;
  const { value: body, unknown } = reading.right;
  if (body === null) return E.left({ code: 'invalid', detail: unknown ?? 'the body cannot be read' });
  return E.map((event: Reading<Event>): BodyReading => ({ body, event: event.value, unknown: event.unknown ?? unknown }))(
    readEvent(body.type, body.version, body.document),
  );
}

const whole =
  (body: Body) =>
  (event: Event | null): BodyReading => ({ body, event, unknown: null });

/** Returns type and version of an event of schema 2 from the end of its canonical text; null for any other text. */
export function typeOf(bodyText: string): { readonly type: string; readonly version: number } | null {
  const end = typeAtEnd.exec(bodyText.slice(-type_text_chars_max));
  return end === null ? null : { type: end[1] ?? '', version: Number(end[2]) };
}

/** Members are sorted, so these are a body's last two; an unescaped quote before a name begins it. */
const typeAtEnd = /,"type":"([^"\\]*)","version":([0-9]+)\}$/;
const type_text_chars_max = 300;

/** Returns the time of an event of schema 2 from the end of its canonical text; null for any other text. */
export const timeOf = (bodyText: string): string | null => timeAtEnd.exec(bodyText.slice(-type_text_chars_max))?.[1] ?? null;

const timeAtEnd = /,"time":"([^"\\]*)","type":"[^"\\]*","version":[0-9]+\}$/;

/** Returns the text of a member as it is in the document; null when there is none. */
export function cut(bodyText: string, path: readonly string[]): string | null {
  const parsed = parseJsonNode(bodyText, { bigIntegers: 'round' });
  return E.isLeft(parsed) ? null : cutFrom(parsed.right, bodyText, path);
}

function cutFrom(root: JsonNode, bodyText: string, path: readonly string[]): string | null {
  let node: JsonNode | undefined = root;
  for (const step of path) node = node?.members?.get(step);
  return node === undefined ? null : bodyText.slice(node.start, node.end);
}

/** Returns the whole state that the reference agent stored as one typed event. */
function upcastSchema1(body: Body1, bodyText: string): Result<Event | null> {
  if (body.mission === '@control')
    return decodeEvent('reference.control', 1, { state: body.document['state'], config_hash: body.document['config_hash'] });
  if (body.mission.startsWith('@')) return E.right(null);
  // Its members are cut from the text later: what could not be read then is refused here.
  const parsed = parseJsonNode(bodyText, { bigIntegers: 'round' });
  if (E.isLeft(parsed)) return parsed;
  const lease_expires_ns = cutFrom(parsed.right, bodyText, ['document', 'lease_expires_ns']);
  return decodeEvent('reference.mission', 1, { snapshot: body.document, lease_expires_ns });
}
