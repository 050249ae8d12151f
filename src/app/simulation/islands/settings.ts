/** Parses AGI_ISLAND_BACKENDS: the islands of each run of a server, and their backends, as `name=backend` separated by commas. */
import { invalid, RefusalError } from '../../../base/refusal.js';
import { island_name_chars_max, islands_max } from '../../../base/limits.js';
import { isIslandName } from '../../../codec/events/simulation.js';
import { type NatsAddress, readNatsAddress } from '../../../codec/nats-url.js';

/** Worker threads of one backend of islands. */
const island_threads_max = 64;

/**
 * Worker threads of the server's own process (if `threads` is null, as many as it has spare processors), or a queue that worker processes
 * of any number of machines drain.
 */
type IslandBackend =
  | { readonly type: 'threads'; readonly threads: number | null }
  | { readonly type: 'queue'; readonly address: NatsAddress };

type Island = Readonly<ReturnType<typeof readPair>>;

/** The islands in code-point order of their names, which is the order in which their best individuals migrate. */
export type IslandSettings = readonly Island[];

export const one_island: IslandSettings = [{ name: 'main', backend: { type: 'threads', threads: null } }];

/** Returns the islands of a run, which may have been requested under other settings: an island that these do not name evolves on threads. */
export const islandsNamed = (names: readonly string[], settings: IslandSettings): IslandSettings =>
  names.map((name) => settings.find((island) => island.name === name) ?? { name, backend: { type: 'threads', threads: null } });

const variable = 'AGI_ISLAND_BACKENDS';
const known = 'known backends are threads, threads:N, nats://HOST:PORT and tls://HOST:PORT';

const refused = (message: string): RefusalError => new RefusalError(invalid(variable, message));

/**
 * Returns the islands that the variable's text names; without a text, the single island `main`. Names and backends do not contain
 * commas or `=`.
 * @throws RefusalError `invalid`
 */
export function readIslands(text: string | undefined): IslandSettings {
  if (text === undefined || text.trim() === '') return one_island;
  const islands: Island[] = [];
  const seen = new Set<string>();
  for (const pair of text.split(',')) {
    const island = readPair(pair.trim());
    const { name } = island;
    if (seen.has(name)) throw refused(`names the island ${name} twice`);
    seen.add(name);
    islands.push(island);
  }
  if (islands.length > islands_max) throw refused(`names ${islands.length} islands, more than ${islands_max}`);
  return islands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readPair(pair: string) {
  const [name = '', ...rest] = pair.split('=');
  if (rest.length !== 1) throw refused(`${quoted(pair)} is not name=backend`);
  const island = name.trim();
  if (!isIslandName(island))
    throw refused(`${quoted(island)} is not a valid island name: 1 to ${island_name_chars_max} letters, digits, _ and -`);
  return { name: island, backend: readBackend(island, rest.join('').trim()) };
}

function readBackend(island: string, text: string): IslandBackend {
  if (text === 'threads') return { type: 'threads', threads: null };
  const [, digits] = /^threads:([1-9][0-9]{0,3})$/.exec(text) ?? [];
  const threads = Number(digits);
  if (threads >= 1 && threads <= island_threads_max) return { type: 'threads', threads };
  if (text.startsWith('threads:'))
    throw refused(`${island}: ${quoted(text)} must be threads:N with N from 1 to ${island_threads_max}`);
  if (/^(?:nats|tls):\/\//.test(text)) {
    const address = readNatsAddress(text);
    if (typeof address !== 'string') return { type: 'queue', address };
    throw refused(`${island}: the address of the queue ${address}`);
  }
  throw refused(`${island}: unknown backend ${quoted(text)}; ${known}`);
}

const shown_chars_max = 80;
const quoted = (text: string): string => JSON.stringify(text.slice(0, shown_chars_max));

/** Islands that are evolved together: by one thread, or by the workers of one queue. */
export interface IslandGroup {
  readonly places: readonly number[];
  readonly queue: NatsAddress | null;
}

/**
 * Returns the groups of a run's islands: one for each thread and one for each queue. Islands of one backend share its threads. A single
 * group without a queue means that separate threads would bring no benefit.
 * @param spare the number of threads for a backend whose `threads` is null
 */
export const islandGroups = (islands: IslandSettings, spare: number): readonly IslandGroup[] =>
  [...byBackend(islands).values()].flatMap(({ backend, places }): IslandGroup[] => {
    if (backend.type === 'queue') return [{ places, queue: backend.address }];
    const count = Math.min(backend.threads ?? spare, places.length);
    return Array.from({ length: count }, (_, group) => ({
      places: places.filter((_place, i) => i % count === group),
      queue: null,
    }));
  });

/** Returns the addresses of the queues that the islands use. */
export const queuesOf = (islands: IslandSettings): readonly NatsAddress[] => [
  ...new Map(
    islands.flatMap(({ backend }) => (backend.type === 'queue' ? [[backend.address.url, backend.address] as const] : [])),
  ).values(),
];

interface BackendPlaces {
  readonly backend: IslandBackend;
  readonly places: readonly number[];
}

function byBackend(islands: IslandSettings): ReadonlyMap<string | number | null, BackendPlaces> {
  const backed = new Map<string | number | null, BackendPlaces>();
  for (const [place, { backend }] of islands.entries()) {
    const key = backend.type === 'queue' ? backend.address.url : backend.threads;
    backed.set(key, { backend, places: [...(backed.get(key)?.places ?? []), place] });
  }
  return backed;
}
