/** Clients of a soak: each does one kind of work again and again, whatever happens to the daemon, and notes what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, shownIn } from '../drill/load.js';
import { ask } from '../drill/probe.js';
import { simulation_token } from '../drill/real-daemon.js';
import { cold, said, type Said } from '../support/crash-cli.js';
import { busClient, envelope, greeting } from '../support/given-bus.js';
import { mission } from './mission-client.js';
import { again_ms, insisted, type Client, type Soaked } from './soaked.js';
import { followed, progress } from './streams.js';

const requests: readonly unknown[] = [
  { seed: 1 },
  { seed: 2, horizon: 20, pop_size: 40, generations: 30, entropy: 2 },
  { seed: 3, samples: 20, sectors: ['grid', 'rail', { name: 'water', entropy: 3 }], curve: 'linear' },
  { seed: 4, pop_size: 200, generations: 100, num_sectors: 20, horizon: 10 },
];

/** Requests a run, follows it on the progress socket, and reads what came of it; every seventh is cancelled. */
const simulation: Client = async (soaked, round) => {
  const { site, operations, acknowledged } = soaked;
  const key = randomUUID();
  const scope = { site, isOver: () => soaked.isOver };
  const created = await insisted(scope, () =>
    operations.asked('request a simulation run', async () => {
      const { simulation: url } = await site.target();
      return ask(`${url}simulate`, 'POST', simulation_token, requests[round % requests.length], { 'Idempotency-Key': key });
    }),
  );
  if (created === null) return;
  const { id } = shownIn(created);
  acknowledged.add(id, 'requested');
  if (round % 7 === 6) {
    const { simulation: url } = await site.target();
    // It may have ended before.
    await operations.timed(
      'cancel a run',
      () => ask(`${url}runs/${id}`, 'DELETE', simulation_token),
      ({ status }) => ([202, 409].includes(status) ? null : `${status}`),
    );
  }
  const { simulation: url } = await site.target();
  const format = round % 2 === 0 ? 'text' : 'json';
  await operations.timed(
    'follow a run (WebSocket)',
    () => progress(url, id, format),
    (code) => (code === 1000 ? null : `closed with ${code}`),
  );
  // A run that a kill interrupted has failed, and one that was cancelled has no results.
  await operations.timed(
    'read results',
    () => ask(`${url}results/${id}`, 'GET', simulation_token),
    ({ status, text }) => (status === 200 || (status === 409 && /interrupted|cancelled/.test(text)) ? null : `${status} ${text}`),
  );
};

const pages = [
  '/api/missions?limit=20',
  '/api/missions?state=completed&q=soak',
  '/api/journal?limit=50',
  '/api/status',
  '/api/tools',
  '/metrics',
];
const simulationPages = ['runs?limit=20', 'status', 'results', 'metrics', 'openapi.json'];

const lists: Client = async ({ site, operations }, round) => {
  const page = pages[round % pages.length] ?? '/healthz';
  await operations.asked('list and status pages', async () => get(await site.target(), page));
  const { simulation: url } = await site.target();
  const other = simulationPages[round % simulationPages.length] ?? 'healthz';
  // There are no results before the first run has ended.
  await operations.timed(
    'pages of the simulation',
    () => ask(url + other, 'GET', simulation_token),
    ({ status }) => (status === 200 || (other === 'results' && status === 404) ? null : `${other}: ${status}`),
  );
};

/** Follows the feed of entries for a while, as a page of the console does. */
const feed: Client = async ({ site, operations }) => {
  const target = await site.target();
  await operations.timed(
    'follow the feed (SSE)',
    () => followed(target),
    (wrong) => wrong,
  );
};

const bus: Client = async ({ site, operations, sent }) => {
  await site.target();
  const address = site.running.bus ?? '';
  const mark = randomUUID();
  const client = busClient(address);
  const send = async (): Promise<string> => {
    await client.send(greeting);
    const { code, text } = await client.send(envelope({ payload: { mark } }));
    return code === 'OK' ? text : `${code} ${text}`;
  };
  const answer = await operations.timed('send to the bus', send, (text) => (text === 'ok' ? null : text));
  client.close();
  if (answer !== null) sent.push(mark);
};

const why = ({ code, stderr }: Said): string | null => (code === 0 ? null : `exit ${code}: ${stderr}`);

/** Backs the home up by a command beside the daemon, and verifies it by another. A command does not need the daemon. */
const commands: Client = async ({ site, operations, backups }, round) => {
  const { env } = site.sandbox;
  const run = (...argv: readonly string[]) => cold([...argv, '--json'], env).then(said);
  const file = join(site.root, `backup-${round}.zip`);
  const made = await operations.timed('agent-cli backup', () => run('backup', file), why, false);
  if (made?.value !== null && made?.value !== undefined) {
    const { head, events } = made.value as { readonly head: string; readonly events: number };
    backups.push({ file, head, events });
  }
  await operations.timed('agent-cli verify', () => run('verify'), why, false);
  await operations.timed('agent-cli list', () => run('list'), why, false);
};

interface Work {
  readonly client: Client;
  /** Between two rounds. */
  readonly pause_ms: number;
}

export const work: readonly Work[] = [
  { client: mission, pause_ms: 100 },
  { client: (soaked, round) => mission(soaked, round + 2), pause_ms: 100 },
  { client: simulation, pause_ms: 300 },
  { client: lists, pause_ms: 100 },
  { client: feed, pause_ms: 1_000 },
  { client: bus, pause_ms: 1_500 },
  { client: commands, pause_ms: 5_000 },
];

/** Lets every client work until the soak is over. */
export async function atWork(soaked: Soaked): Promise<void> {
  const repeat = async ({ client, pause_ms }: Work): Promise<void> => {
    for (let round = 0; !soaked.isOver; round++) {
      await soaked.site.target();
      await client(soaked, round);
      for (const end = performance.now() + pause_ms; performance.now() < end && !soaked.isOver; )
        await sleep(Math.min(pause_ms, again_ms));
    }
  };
  await Promise.all(work.map(repeat));
}
