/**
 * Reads an ordinary entry of this program only from its text, without parsing it: the document must be canonical JSON, and everything
 * after it must be exactly the text that the row, the entry before it and the key call for. So the whole body is canonical, and its
 * members are those that the codec of a body (codec/entry.ts) demands.
 */
import { canonicalObjectEnd } from '../base/canonical-scan.js';
import { timePattern } from '../base/time.js';
import { blobFinders, readEvent, type Event } from '../codec/event.js';
import type { Result } from '../base/refusal.js';
import type { Reading } from '../codec/tolerant.js';
import { incarnation } from '../codec/scalars.js';
import { blobsInDocuments, type Use } from './blob-uses.js';

/** An event type that this program knows, in one of its versions. */
interface KnownType {
  /** Returns the blobs that a document's text names. */
  readonly blobsIn: (document: string) => readonly Use[];
  readonly read: (document: unknown) => Result<Reading<Event>>;
}

export interface OrdinaryEntry {
  readonly type: KnownType;
  /** The document's text, canonical JSON. */
  readonly document: string;
  readonly time: string;
}

const before_document = '{"document":';
const incarnation_chars = 32;
const time_chars = 27;

/** The known types by the end of a body's text. */
const byEnd: ReadonlyMap<string, KnownType> = new Map(
  [...blobFinders].flatMap(([type, finders]) =>
    finders.map((finder, i) => {
      const version = i + 1;
      const read = (document: unknown): Result<Reading<Event>> => readEvent(type, version, document);
      return [`","type":${JSON.stringify(type)},"version":${version}}`, { blobsIn: blobsInDocuments(finder), read }] as const;
    }),
  ),
);

/** The names of streams that are the same in JSON, within the bounds of the codec. */
const plain_stream = /^[ !#-[\]-~]{1,300}$/;

/** Reads the entries of one journal in order; it remembers the incarnation, which seldom changes. */
export class OrdinaryEntries {
  private readonly identity: string;
  /** The text from the document's end to the name of the stream. */
  private middle = '';

  constructor(identity: string) {
    this.identity = `,"identity":"${identity}","incarnation":"`;
  }

  /** Returns null for any entry that is not ordinary: it may be valid all the same, and must then be parsed. */
  read(text: string, sequence: number, stream: string, previous: string): OrdinaryEntry | null {
    if (!text.startsWith(before_document) || !plain_stream.test(stream)) return null;
    const end = canonicalObjectEnd(text, before_document.length, 1);
    if (end < 0) return null;
    const rest = `${stream}","previous":"${previous}","schema":2,"sequence":${sequence},"time":"`;
    if (!hasAt(text, end, this.middle + rest) && !this.hasOtherMiddle(text, end, rest)) return null;
    const at = end + this.middle.length + rest.length;
    const time = text.slice(at, at + time_chars);
    const type = byEnd.get(text.slice(at + time_chars));
    if (type === undefined || !timePattern.test(time)) return null;
    return { type, document: text.slice(before_document.length, end), time };
  }

  private hasOtherMiddle(text: string, end: number, rest: string): boolean {
    const from = end + this.identity.length;
    const found = text.slice(from, from + incarnation_chars);
    if (!incarnation.is(found)) return false;
    this.middle = `${this.identity}${found}","mission":"`;
    return hasAt(text, end, this.middle + rest);
  }
}

/** Comparing a slice takes a quarter of the time of `startsWith`. */
const hasAt = (text: string, at: number, part: string): boolean => text.slice(at, at + part.length) === part;
