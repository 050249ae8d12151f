/** The types of event that this build knows, and those that occur in a journal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { decodeEvent } from '../../src/codec/event.js';
import type { Db } from '../../src/store/database.js';
import { filesBelow } from '../support/files-below.js';
import { root } from '../support/cli-run.js';

/** How many entries, by what is counted. */
export type TypeCounts = Readonly<Record<string, number>>;

const codecs = join(root, 'dist', 'src', 'codec');

/** `decodeEvent` returns null for a type that it does not know; of one that it knows it refuses or takes an empty document. */
function isKnown(type: string): boolean {
  const decoded = decodeEvent(type, 1, {});
  return E.isLeft(decoded) || decoded.right !== null;
}

/**
 * Every type that an entry may have, found among the literals of the compiled codecs. Types that upcasters make of the reference
 * agent's entries (`reference.`) are never recorded.
 */
export function recordedTypes(): readonly string[] {
  const literals = filesBelow(codecs)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) =>
      Array.from(readFileSync(join(codecs, file), 'utf8').matchAll(/['"]([a-z]+\.[a-z_]+)['"]/g), ([, type = '']) => type),
    );
  return [...new Set(literals)].filter((type) => isKnown(type) && !type.startsWith('reference.')).toSorted();
}

/** Entries by type; those of schema 1 have none. */
export const countTypes = (db: Db): TypeCounts =>
  counted(db, `SELECT coalesce(json_extract(body, '$.type'), 'schema 1') AS name, count(*) AS entries FROM events GROUP BY name`);

export const countBlobs = (db: Db): TypeCounts =>
  counted(
    db,
    `SELECT json_extract(body, '$.type') || ' ' || member.key AS name, count(*) AS entries
       FROM events, json_each(body, '$.document') AS member WHERE member.key GLOB '*_blob' GROUP BY name`,
  );

const counted = (db: Db, sql: string): TypeCounts =>
  Object.fromEntries(
    db
      .prepare<[], { name: string; entries: number }>(`${sql} ORDER BY name`)
      .all()
      .map(({ name, entries }) => [name, entries]),
  );
