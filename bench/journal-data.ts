/** Journals for the benches: missions with random UUIDs, written in batches or one entry at a time. */
import { sha256Hex } from '../src/base/hash.js';
import { prng } from '../src/base/prng.js';
import { initHome } from '../src/app/home/init.js';
import { openHome } from '../src/app/home/open.js';
import type { Home } from '../src/app/home/home.js';
import type { World } from '../src/app/home/world.js';
import type { Command, JournalWriter } from '../src/journal/writer.js';

export const batch = 1_000;
export const goal = 'Sequence the orders of one week so that the last one leaves as early as possible. '.repeat(2);

const random = prng(1);
let serial = 0;

/** A UUID of version 4: in the index of the streams every entry is in another place, as in a real journal. */
export function randomUuid(): string {
  const hex = Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Returns commands, each of which queues a mission and returns its id. The entry's body has 930 bytes. */
export const submissions = (count: number): Command<string>[] => Array.from({ length: count }, submission);

function submission(): Command<string> {
  const id = randomUuid();
  const request_hash = sha256Hex(id);
  const request = { goal, seed: serial++, work: { kind: 'forecast', unit: 'units' } };
  return (tx) => {
    tx.append(id, {
      type: 'mission.submitted',
      document: { kind: 'forecast', goal, request, request_hash, actor: 'operator' },
    });
    return id;
  };
}

export function world(directory: string): World {
  return { env: { AGENT_WITNESS: `${directory}-witness` }, clock: Date.now, directory };
}

export function makeHome(directory: string): Home {
  initHome(world(directory));
  return openHome(world(directory));
}

/** Runs the commands in one transaction; returns the ids of their missions. */
export function appendBatch(writer: JournalWriter, commands: readonly Command<string>[]): string[] {
  writer.begin();
  return writer.run(commands).map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  });
}

export type Written = 'in batches' | 'one by one';

/** Makes a home whose journal has so many entries. Syncing is left out: the benches of appending measure it. Returns the newest missions. */
export function fill(directory: string, entries: number, written: Written): readonly string[] {
  const home = makeHome(directory);
  home.db.pragma('synchronous = OFF');
  let newest: readonly string[] = [];
  while (home.writer.head.size < entries) {
    const size = Math.min(batch, entries - home.writer.head.size);
    const commands = submissions(size);
    const ids =
      written === 'in batches' ? appendBatch(home.writer, commands) : commands.map((command) => home.writer.transact(command));
    newest = [...newest, ...ids].slice(-2 * batch);
  }
  home.close();
  return newest;
}
