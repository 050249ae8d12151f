/** All changes of a sweep, and the fixed selection of them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { inMemory } from './alter.js';
import { placeIn, type Change, type Homes, type Place } from './change.js';
import { blobChanges } from './changes/blobs.js';
import { placeChanges } from './changes/copies.js';
import { entryChanges } from './changes/entries.js';
import { fileChanges } from './changes/files.js';
import { schemaChanges } from './changes/schema.js';
import { checkpointChanges, cosignatureChanges, tileChanges } from './changes/sealed.js';
import { derivedChanges } from './changes/tables.js';
import { versionChanges } from './changes/versions.js';
import { groupNames } from './groups.js';
import type { HomeName } from './homes.js';

type Maker = (homes: Homes) => readonly Change[];

const makers: readonly Maker[] = [
  entryChanges,
  tileChanges,
  checkpointChanges,
  blobChanges,
  schemaChanges,
  cosignatureChanges,
  derivedChanges,
  versionChanges,
  fileChanges,
  placeChanges,
];

/** Returns every change of the homes under a folder, always in the same order. */
export function allChanges(root: string): readonly Change[] {
  const at = (name: HomeName): Place => placeIn(join(root, name));
  return inMemory(at('main').journal, (db) => makers.flatMap((make) => make({ root, at, db })));
}

const orderOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns as many changes as there may be: of each group in turn the next one, of kinds that were not taken before as long as there
 * are any. The choice depends on their names alone.
 */
export function selection(changes: readonly Change[], count_max: number): readonly Change[] {
  const queues = groupNames.map((name) => byKinds(changes.filter(({ group }) => group === name)));
  const chosen: Change[] = [];
  for (let round = 0; chosen.length < count_max && queues.some((queue) => round < queue.length); round++) {
    for (const queue of queues) {
      const next = queue[round];
      if (next !== undefined && chosen.length < count_max) chosen.push(next);
    }
  }
  return chosen;
}

/** Orders changes so that each kind comes once before any comes twice. */
function byKinds(changes: readonly Change[]): readonly Change[] {
  const seen = new Map<string, number>();
  const placed = changes
    .toSorted((a, b) => (orderOf(a.name) < orderOf(b.name) ? -1 : 1))
    .map((change) => {
      const time = seen.get(change.kind) ?? 0;
      seen.set(change.kind, time + 1);
      return { change, time };
    });
  return placed.toSorted((a, b) => a.time - b.time).map(({ change }) => change);
}
