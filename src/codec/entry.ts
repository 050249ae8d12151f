/**
 * A journal entry's body (docs/journal-format). Schema 2 is ours; schema 1 is the reference agent's, whose document is a whole
 * state and whose `time_ns` is above 2^53, so its text is never parsed into numbers that are printed again.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { parseJsonNode } from '../base/json-parse.js';
import { formatTime, timeOfNanoseconds } from '../base/time.js';
import type { Result } from '../base/result.js';
import { decodeEvent, type Event } from './event.js';
import { hash, incarnation, sequence, time } from './scalars.js';
import { choice, decode, integer, mapOf, number, object, required, text } from './kit.js';

export const identityPattern = /^urn:agialpha:ed25519:[0-9a-f]{64}$/;
const identity = text({ pattern: identityPattern });
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

/** A decoded entry. `event` is null for a type that this program does not know: verified, but not interpreted. */
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
}

export interface StoredEntry {
  readonly seq: number;
  readonly mission: string;
  readonly body: string;
  readonly hash: string;
  readonly signature: string;
}

/**
 * The body of either schema. The text was hashed as it stands, so the platform's parser reads it; numbers of schema 1 beyond 2^53
 * come out rounded and serve reading only.
 */
export function decodeBody(bodyText: string): Result<Body> {
  const value = parseStored(bodyText);
  return value === undefined ? E.left({ code: 'malformed', detail: 'the body is not JSON' }) : decodeBodyValue(value);
}

/** The body from its parsed JSON. */
export function decodeBodyValue(value: unknown): Result<Body> {
  const isFirst = typeof value === 'object' && value !== null && 'schema' in value && value.schema === 1;
  return decode<Body>(isFirst ? bodySchema1 : bodySchema2, value);
}

function parseStored(bodyText: string): unknown {
  try {
    return JSON.parse(bodyText);
  } catch {
    return undefined;
  }
}

/** Decodes a stored row through the body's codec and its event's codec. */
export function decodeEntry(row: StoredEntry): Result<Entry> {
  const body = decodeBody(row.body);
  if (E.isLeft(body)) return body;
  const b = body.right;
  const event = eventOf(b, row.body);
  if (E.isLeft(event)) return event;
  return E.right({
    sequence: b.sequence,
    stream: b.mission,
    identity: b.identity,
    previous: b.previous,
    hash: row.hash,
    signature: row.signature,
    text: row.body,
    time: b.schema === 2 ? b.time : (timeOfNanoseconds(cut(row.body, ['time_ns'])) ?? formatTime(0)),
    incarnation: b.schema === 2 ? b.incarnation : null,
    event: event.right,
  });
}

/** The typed event of a body: upcasters run before its codec; null for a type that this program does not know. */
export const eventOf = (body: Body, bodyText: string): Result<Event | null> =>
  body.schema === 2 ? decodeEvent(body.type, body.version, body.document) : upcastSchema1(body, bodyText);

/** The text of a member, as it stands in the document; null when there is none. */
export function cut(bodyText: string, path: readonly string[]): string | null {
  const parsed = parseJsonNode(bodyText, { bigIntegers: 'round' });
  if (E.isLeft(parsed)) return null;
  let node: typeof parsed.right | undefined = parsed.right;
  for (const step of path) node = node?.members?.get(step);
  return node === undefined ? null : bodyText.slice(node.start, node.end);
}

/** The whole state that the reference agent stored becomes one typed event. */
function upcastSchema1(body: Body1, bodyText: string): Result<Event | null> {
  if (body.mission === '@control')
    return decodeEvent('reference.control', 1, { state: body.document['state'], config_hash: body.document['config_hash'] });
  if (body.mission.startsWith('@')) return E.right(null);
  return decodeEvent('reference.mission', 1, {
    snapshot: body.document,
    lease_expires_ns: cut(bodyText, ['document', 'lease_expires_ns']),
  });
}
