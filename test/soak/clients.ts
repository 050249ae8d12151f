/** Clients of a soak: each does one kind of work again and again, whatever happens to the daemon, and notes what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Kind } from '../../src/codec/kinds.js';
import { decisionOn, detailOf, executedIn, get, isOk, post, type Shown, shownIn } from '../drill/load.js';
import { ask, type Asked } from '../drill/probe.js';
import { simulation_token, type Target } from '../drill/real-daemon.js';
import { cold, said, type Said } from '../support/crash/crash-cli.js';
import { busClient, envelope, greeting } from '../support/bus/given-bus.js';
import { longWork } from '../support/app/given-daemon.js';
import { minimal } from '../support/codec/mission-samples.js';
import { hang_ms } from '../support/wait.js';
import { again_ms, type Client, insisted, type Soaked } from './soaked.js';

/** Follows a run until the server closes the socket. Returns the code with which it closes. */
export async function progress(simulation: string, id: string, format: 'text' | 'json'): Promise<number> {
  const url = `${simulation.replace('http:', 'ws:')}ws/progress?id=${id}&format=${format}`;
  const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${simulation_token}` }, handshakeTimeout: hang_ms });
  const timer = setTimeout(() => socket.terminate(), hang_ms);
  try {
    socket.on('message', () => undefined).on('error', () => undefined);
    // A refused handshake is an error event, which rejects.
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  } finally {
    clearTimeout(timer);
  }
}

const followed_ms = 2_000;

/** Follows the feed for two seconds. Returns what is wrong, or null. */
const followed = ({ operator, token }: Target): Promise<string | null> =>
  new Promise((resolve) => {
    let isEnough = false;
    const taken = (response: IncomingMessage): void => {
      if (response.statusCode !== 200) resolve(`status ${response.statusCode ?? 0}`);
      response.resume().once('close', () => resolve(isEnough ? null : 'the stream ended'));
      setTimeout(() => {
        isEnough = true;
        asked.destroy();
      }, followed_ms);
    };
    const headers = { Authorization: `Bearer ${token}` };
    const asked = request(`${operator}api/events`, { headers, agent: false }, taken);
    asked.on('error', ({ message }) => resolve(isEnough ? null : message)).end();
  });

/** Every so many missions one takes long enough to be killed while it runs. */
const long_every = 8;
const reject_every = 5;

/** Returns a mission, and what its execution is called. */
const workOf = (kind: Kind, round: number): readonly [body: unknown, name: string] =>
  round % long_every === 7 ? [longWork(`soak ${round}`), 'a long schedule'] : [missionOf(kind), kind];
const missionOf = (kind: Kind): unknown =>
  kind === 'code'
    ? {
        goal: 'double a number',
        work: { kind, heldout: [{ args: [2], expected: 4 }], candidate: 'def solve(n):\n    return 2 * n\n' },
      }
    : minimal(kind);

/** Takes a mission from submission to its review, over any number of restarts; exports it if it was approved. */
const mission: Client = async (soaked, round) => {
  const { site, operations, acknowledged, kinds } = soaked;
  const id = randomUUID();
  const kind = kinds[round % kinds.length] ?? 'allocation';
  const scope = { site, isOver: () => soaked.isOver };
  const [body, name] = workOf(kind, round);
  const submitted = await insisted(scope, () =>
    operations.asked('submit a mission', async () => post(await site.target(), '/api/missions', body, { 'Idempotency-Key': id })),
  );
  if (submitted === null) return;
  acknowledged.add(id, 'submitted');
  const produced = await insisted(scope, () => executed(soaked, id, name));
  if (produced === null) return;
  acknowledged.add(id, 'executed');
  const approve = round % reject_every !== 4;
  if ((await insisted(scope, () => reviewed(soaked, produced, approve))) === null) return;
  acknowledged.add(id, approve ? 'reviewed' : 'rejected');
  if (approve) await operations.asked('export a result', async () => get(await site.target(), `/api/missions/${id}/export`));
};

/** Executes a mission once; one that was interrupted is recovered first. Returns its record in review. */
async function executed({ site, operations }: Soaked, id: string, name: string): Promise<Shown | null> {
  const before = await get(await site.target(), `/api/missions/${id}`);
  if (!isOk(before)) return null;
  const shown = shownIn(before);
  if (shown.state === 'review') return shown;
  // A kill does not end a request for execution: the daemon begins with it again by itself.
  if (shown.state === 'running' && shown.interrupted !== true) return null;
  if (shown.state !== 'queued') {
    await operations.asked('recover a mission', async () => post(await site.target(), `/api/missions/${id}/recover`));
    return null;
  }
  const first = await site.target();
  const response = await operations.timed(
    `execute: ${name}`,
    () =>
      executedIn(
        () => first,
        id,
        // The step is done to its end, also when the soak is over meanwhile.
        () => false,
      ),
    (asked) => (isOk(asked) || isUnresponsive(asked) ? null : `${asked.status}: ${detailOf(asked)}`),
  );
  return response === null || isUnresponsive(response) ? null : shownIn(response);
}

/** Whether an agent had no processor for too long, on a machine that is too busy: the mission has failed, and is recovered. */
const isUnresponsive = ({ status, text }: Asked): boolean => status === 502 && text.includes('sent no heartbeat');

/** Records a decision; one that was recorded and not acknowledged is found in the record. */
async function reviewed({ site, operations }: Soaked, produced: Shown, approve: boolean): Promise<true | null> {
  const path = `/api/missions/${produced.id}`;
  const now = await get(await site.target(), path);
  if (!isOk(now)) return null;
  if (shownIn(now).state === (approve ? 'completed' : 'rejected')) return true;
  const response = await operations.asked('review a result', async () =>
    post(await site.target(), `${path}/review`, decisionOn(shownIn(now), approve)),
  );
  return response === null ? null : true;
}

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
  const { token } = await site.target();
  const address = site.running.bus ?? '';
  const mark = randomUUID();
  const client = busClient(address);
  const send = async (): Promise<string> => {
    await client.send(greeting);
    const { code, text } = await client.send(envelope({ payload: { mark } }), { authorization: `Bearer ${token}` });
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
