/** Homes, and the start of a command on them, with which the benches measure the check of the whole journal. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../src/base/hash.js';
import { RefusalError } from '../src/base/result.js';
import { openHome } from '../src/app/home/open.js';
import type { World } from '../src/app/home/world.js';
import { initHome } from '../src/app/home/init.js';
import { homePaths } from '../src/home/paths.js';
import { signerFromSeed } from '../src/journal/keys.js';
import { checkHead, loadPosition } from '../src/journal/position.js';
import { checkWhole, isSmall } from '../src/journal/whole-check.js';
import type { Command } from '../src/journal/writer.js';
import { openDatabase } from '../src/store/database.js';

const batch = 1_000;

/** Queues a mission, in an entry with a body of 900 bytes. */
const submit: Command<null> = (tx) => {
  const id = randomUUID();
  const request = { goal: 'x'.repeat(310), seed: 1, work: { kind: 'forecast', unit: 'units' } };
  const document = { kind: 'forecast', goal: 'a goal', request, request_hash: sha256Hex(id), actor: 'operator' } as const;
  tx.append(id, { type: 'mission.submitted', document });
  return null;
};

/** Makes a home with so many entries, each in a stream of its own. */
export function makeHome(world: World, entries: number): void {
  initHome(world);
  const home = openHome(world);
  while (home.writer.head.size < entries) {
    home.writer.begin();
    home.writer.run(Array.from({ length: Math.min(batch, entries - home.writer.head.size) }, () => submit));
  }
  home.close();
}

/** Opens a journal as every command does, with or without the check of all entries. @throws RefusalError when it fails */
export function openJournal(directory: string, isChecked: boolean): void {
  const paths = homePaths(directory);
  const { publicKey } = signerFromSeed(readFileSync(paths.identityKey));
  const db = openDatabase(paths.journal);
  db.transaction(() => {
    checkHead(db, loadPosition(db, publicKey), publicKey);
    if (!isChecked) return;
    const { failure } = checkWhole(db, publicKey);
    if (failure !== null) throw new RefusalError(failure);
    if (!isSmall(db)) throw new Error('this home is too large to be checked by every command');
  })();
  db.close();
}
