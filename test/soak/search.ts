/** Looks, after a soak, for everything that was acknowledged: over HTTP, in the journal, and in the backups. */
import { join } from 'node:path';
import { inDatabase } from '../support/store/in-database.js';
import { command } from '../drill/given-attacked.js';
import { get } from '../drill/load.js';
import { ask, type Asked } from '../drill/probe.js';
import { simulation_token } from '../drill/real-daemon.js';
import type { Soaked } from './soaked.js';

export interface Found {
  /** What was acknowledged and is not there. */
  readonly lost: number;
  readonly doubled: number;
  readonly wrong: readonly string[];
}

interface Page {
  readonly items: readonly { readonly id: string; readonly state: string }[];
  readonly next_cursor: string | null;
}

/** Returns the states of all items of a list, by id. */
async function statesOf(read: (cursor: string) => Promise<Asked>): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, text } = await read(cursor === '' ? '' : `&cursor=${cursor}`);
    if (status !== 200) throw new Error(`a page of a list: ${status} ${text}`);
    const { items, next_cursor } = JSON.parse(text) as Page;
    for (const { id, state } of items) states.set(id, state);
    cursor = next_cursor;
  }
  return states;
}

/** Stops the daemon and searches. */
export async function afterwards(soaked: Soaked): Promise<Found> {
  const { site, acknowledged, backups, sent } = soaked;
  const listed = await missingInLists(soaked);
  const ended = await site.end('SIGTERM');
  const { valid } = await command(site.sandbox, 'verify', '--deep');
  const { lost, doubled } = acknowledged.check(site.sandbox.home);
  const { heads, marks } = journalOf(join(site.sandbox.home, 'journal.sqlite3'));
  const lostBackups = backups.filter(({ head, events }) => heads.get(events) !== head).length;
  const lostEnvelopes = sent.filter((mark) => !marks.has(mark)).length;
  const count = (n: number, what: string): readonly string[] => (n === 0 ? [] : [`${n} ${what}`]);
  return {
    lost: lost + lostBackups + lostEnvelopes + listed.length,
    doubled,
    wrong: [
      ...listed,
      ...ended,
      ...(valid === true ? [] : ['verify --deep: the journal is not valid']),
      ...count(lost, 'acknowledged steps are not in the journal'),
      ...count(doubled, 'steps are in the journal twice'),
      ...count(lostBackups, 'backups have a head that the journal does not have'),
      ...count(lostEnvelopes, 'envelopes that the bus accepted are not in the journal'),
      ...(await restored(soaked)),
    ],
  };
}

/** Returns what the lists of the daemon lack, or show in another state than the acknowledged one. */
async function missingInLists({ site, acknowledged }: Soaked): Promise<readonly string[]> {
  const target = await site.target();
  const missions = await statesOf((cursor) => get(target, `/api/missions?limit=100${cursor}`));
  const runs = await statesOf((cursor) => ask(`${target.simulation}runs?limit=100${cursor}`, 'GET', simulation_token));
  const expected = [
    ...acknowledged.idsAt('reviewed').map((id) => [id, 'completed'] as const),
    ...acknowledged.idsAt('rejected').map((id) => [id, 'rejected'] as const),
  ];
  return [
    ...acknowledged.idsAt('submitted').flatMap((id) => (missions.has(id) ? [] : [`mission ${id} is in no list`])),
    ...expected.flatMap(([id, state]) =>
      missions.get(id) === state ? [] : [`mission ${id} is ${missions.get(id) ?? 'missing'}, not ${state}`],
    ),
    ...acknowledged.idsAt('requested').flatMap((id) => (runs.has(id) ? [] : [`run ${id} is in no list`])),
  ];
}

/** Returns the hash of each entry, and the marks of recorded envelopes. */
const journalOf = (file: string): { readonly heads: ReadonlyMap<number, string>; readonly marks: ReadonlySet<string> } =>
  inDatabase(file, (db) => {
    const rows = db.prepare<[], { seq: number; hash: string }>('SELECT seq, hash FROM events').all();
    const bodies = db.prepare<[], string>("SELECT body FROM events WHERE mission = '@bus'").pluck().all();
    return {
      heads: new Map(rows.map(({ seq, hash }) => [seq, hash])),
      marks: new Set(bodies.flatMap((body) => /"mark":"([0-9a-f-]{36})"/.exec(body)?.[1] ?? [])),
    };
  });

/** Restores the newest backup beside the home. Returns what is wrong with it. */
async function restored({ site, backups }: Soaked): Promise<readonly string[]> {
  const newest = backups.at(-1);
  if (newest === undefined) return ['no backup was made'];
  const home = join(site.root, 'restored');
  const { sandbox } = site;
  const beside = { ...sandbox, home, env: { AGENT_HOME: home, AGENT_WITNESS: join(site.root, 'restored-witness') } };
  await command(beside, 'restore', newest.file, '--expect-head', newest.head);
  const { valid } = await command(beside, 'verify', '--deep');
  return valid === true ? [] : ['the newest backup, restored, does not verify'];
}
