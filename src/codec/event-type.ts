/**
 * The declaration of an event type: its name, and for each version of its document the codec and, for all but the newest, the upcaster
 * to the next version. The members that name blobs are found by their codecs (blobs.ts).
 */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { ok, type Result } from '../base/refusal.js';
import { blobFinder, type BlobFinder } from './blobs.js';
import type { Fields, Members } from './field.js';
import { decode, object, type ObjectType } from './kit.js';
import { type Reading, readKnown } from './tolerant.js';

/** One version of a document, and how it is upcast to the newest version. */
interface Version<A> {
  readonly codec: t.Mixed;
  readonly blobs: BlobFinder | null;
  readonly read: (document: unknown) => Result<A>;
}

export class EventDeclaration<T extends string, A> {
  /** The newest version, in which events are recorded. */
  readonly version: number;
  /** Finders of the blobs in the stored documents of each version, the oldest first. */
  readonly blobFinders: readonly (BlobFinder | null)[];

  private constructor(
    readonly type: T,
    private readonly versions: readonly Version<A>[],
    /** The members of the newest version. */
    readonly fields: Fields,
  ) {
    this.version = versions.length;
    this.blobFinders = versions.map(({ blobs }) => blobs);
  }

  /** Declares an event type with the first version of its document. */
  static first<T extends string, F extends Fields>(type: T, fields: F): EventDeclaration<T, Members<F>> {
    return new EventDeclaration(type, [versionOf(object(type, fields))], fields);
  }

  /** Adds a version. @param upcast a pure function that returns the new document for one of the version before */
  next<F extends Fields>(fields: F, upcast: (document: A) => Members<F>): EventDeclaration<T, Members<F>> {
    const codec = object(this.type, fields);
    const older = this.versions.map(({ read, ...version }) => ({
      ...version,
      read: (document: unknown) => E.chain((before: A) => decode(codec, upcast(before)))(read(document)),
    }));
    return new EventDeclaration(this.type, [...older, versionOf(codec)], fields);
  }

  /** Returns a document of any version as one of the newest version; null for an unknown version. */
  decode(version: number, document: unknown): Result<A | null> {
    return this.versions[version - 1]?.read(document) ?? ok(null);
  }

  /** Returns the same for a document that may hold unknown members or choices. */
  read(version: number, document: unknown): Result<Reading<A>> | null {
    const known = this.versions[version - 1];
    return known === undefined ? null : readKnown(known.codec, known.read, document);
  }
}

const versionOf = <A>(codec: ObjectType<A>): Version<A> => ({
  codec,
  blobs: blobFinder(codec),
  read: (document) => decode(codec, document),
});

/** Declares an event type. A change of its document that an older program could not read needs a new version: `.next(…)`. */
export const declare = <const T extends string, F extends Fields>(type: T, fields: F): EventDeclaration<T, Members<F>> =>
  EventDeclaration.first(type, fields);
