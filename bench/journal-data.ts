/** Journals for the benches: missions with random UUIDs, written in batches or one entry at a time. */
import { sha256Hex } from '../src/base/bytes.js';
import { prng } from '../src/base/prng.js';
import { roles } from '../src/codec/roles.js';
import { initHome } from '../src/app/home/init.js';
import { openHome } from '../src/app/home/open.js';
import type { Home, World } from '../src/app/home/home.js';
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
export const submissions = (count: number): Command<string>[] => Array.from({ length: count }, () => submission(randomUuid()));

function submission(id: string): Command<string> {
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

const newest_streams = 10;
const submitted_share = 0.2;
const engine = { name: 'forecast', version: '1.0.0' };
const zeros = '0'.repeat(64);

/**
 * Returns commands as real homes give them: each records an entry, four in five for one of the ten newest missions, which is leased and goes
 * through its stages, and the others begin a mission.
 */
export const drawn = (count: number, open: Open[]): Command<unknown>[] =>
  Array.from({ length: count }, () => {
    const mission = random.uint32() / 2 ** 32 < submitted_share ? undefined : open[random.uint32() % newest_streams];
    if (mission !== undefined) return step(mission);
    const id = randomUuid();
    open.unshift({ id, steps: 0 });
    open.splice(newest_streams);
    return submission(id);
  });

/** A mission to which entries are added. */
export interface Open {
  readonly id: string;
  steps: number;
}

function step(mission: Open): Command<null> {
  const { id } = mission;
  const at = mission.steps++ % (roles.length + 1);
  const role = roles[at - 1];
  const attempt = 1 + Math.floor(mission.steps / (roles.length + 1));
  const leased = {
    state: 'running',
    attempt,
    lease_expires_at: '2100-01-01T00:00:00.000000Z',
    config_hash: zeros,
    engine,
    max_evaluations: 1_000,
    parent: null,
    parent_digest: null,
    actor: 'operator',
  } as const;
  return (tx) => {
    if (role === undefined) tx.append(id, { type: 'mission.leased', document: leased });
    else
      tx.append(id, {
        type: 'mission.staged',
        document: { attempt, index: at - 1, role, detail: { models: 12, observations: 96, chosen: 'theta' } },
      });
    return null;
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
export function appendBatch<A>(writer: JournalWriter, commands: readonly Command<A>[]): A[] {
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
    home.moveSnapshot();
  }
  home.close();
  return newest;
}
