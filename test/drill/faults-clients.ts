/** Faults that clients make: the attacks, each with probes and missions beside it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { atEffort } from '../support/effort.js';
import { attacks, nested } from './attacks.js';
import { unless, type Fault } from './fault.js';
import type { Field } from './field.js';
import { detailOf, get, post } from './load.js';
import { ask, probe } from './probe.js';
import { rss_growth_bytes_max, simulation_token } from './real-daemon.js';

const attacked_ms = atEffort(300, 20_000);
/** With fewer requests, the slowest ones say more about the machine than about the daemon. */
const judged_min = 500;
const wrong = 'x'.repeat(43);

const said = (asked: ReturnType<typeof ask>): Promise<string> => asked.then((answer) => `${answer.status}: ${detailOf(answer)}`);

interface Listed {
  readonly name: string;
  readonly told: (field: Field) => Promise<string>;
  /** Whether it takes every connection of the operator's port. */
  readonly takesPort?: true;
}

/** Attacks, and what tells somebody about each. */
const listed: readonly Listed[] = [
  { name: atEffort('non-reading-400', 'non-reading-1000'), told: cutResponses },
  { name: 'blanks', takesPort: true, told: droppedConnections },
  {
    name: 'nested',
    told: ({ attacked: { operator, reviewer } }) =>
      said(ask(`${operator}api/missions`, 'POST', reviewer, JSON.parse(nested.toString()))),
  },
  { name: 'streams', told: ({ attacked: { operator, viewer } }) => said(ask(`${operator}api/events`, 'GET', viewer)) },
  { name: 'anonymous', told: ({ attacked: { operator } }) => said(ask(`${operator}api/status`, 'GET')) },
  { name: 'guesses', told: ({ attacked: { operator } }) => said(ask(`${operator}api/status`, 'GET', wrong)) },
  {
    name: 'large-bodies',
    told: ({ attacked: { simulation } }) => said(ask(`${simulation}simulate`, 'POST', simulation_token, { x: 1 })),
  },
  {
    name: 'csv',
    told: ({ attacked: { simulation, run } }) =>
      ask(`${simulation}results/${run}.csv`, 'GET', simulation_token).then(({ status }) => `${status}: nothing is refused`),
  },
];

/** Ends the attack, whose connections the log then reports as cut off. */
async function cutResponses(field: Field): Promise<string> {
  await field.endAttack();
  const line = await field.logged(/^answered$/);
  return `log: ${line}, cut: true, for each response that was not read`;
}

/** What the metrics say once there is a place again. */
async function droppedConnections({ daemon: { target } }: Field): Promise<string> {
  const { text } = await ask(`${target.operator}metrics`, 'GET', target.token);
  return /^agent_http_connections_dropped_total [0-9]+$/m.exec(text)?.[0] ?? 'the metrics count no closed connection';
}

/** Nothing is served meanwhile, while commands need no connection. */
async function whilePortIsTaken(field: Field, { name, told }: Listed): ReturnType<Fault['run']> {
  const { daemon } = field;
  const idle_bytes = daemon.rss_bytes;
  await field.attack(name);
  await sleep(attacked_ms);
  const ran = [await field.command('pause'), await field.command('resume')];
  const mb = (daemon.rss_bytes - idle_bytes) / 1_048_576;
  await field.endAttack();
  const { seconds } = await field.normal();
  return {
    effect: `no other client is served meanwhile; pause and resume on the command line are, ${mb.toFixed(0)} MB more`,
    seconds,
    told: await told(field),
    wrong: [
      ...unless(
        ran.every(({ code }) => code === 0),
        `the pause: ${ran.map(({ stderr }) => stderr).join(' ')}`,
      ),
      ...unless(mb * 1_048_576 <= rss_growth_bytes_max, `${mb.toFixed(0)} MB of memory`),
    ],
  };
}

async function underAttack(field: Field, { name, told }: Listed): ReturnType<Fault['run']> {
  const { daemon } = field;
  const idle_bytes = daemon.rss_bytes;
  let most_bytes = idle_bytes;
  const watching = setInterval(() => (most_bytes = Math.max(most_bytes, daemon.rss_bytes)), 50);
  const probing = probe(daemon.target, { control: false });
  const began = performance.now();
  await field.attack(name);
  const { seconds } = await field.normal(began);
  await sleep(attacked_ms);
  const pausing = performance.now();
  const paused = await post(daemon.target, '/api/control', { state: 'paused' });
  const pause_ms = performance.now() - pausing;
  await post(daemon.target, '/api/control', { state: 'ready' });
  const read = await get(daemon.target, '/api/status');
  const text = await told(field);
  const { health } = await probing.end();
  await field.endAttack();
  clearInterval(watching);
  const mb = (most_bytes - idle_bytes) / 1_048_576;
  return {
    effect: `health p99 ${health.p99_ms.toFixed(0)} ms, a pause ${pause_ms.toFixed(0)} ms, ${mb.toFixed(0)} MB more`,
    seconds,
    ...(health.count < judged_min ? {} : { health_p99_ms: health.p99_ms }),
    told: text,
    wrong: [
      ...unless(health.failed === 0, `${health.failed} of ${health.count} requests for health failed`),
      ...unless(paused.status === 200, `the pause: ${detailOf(paused)}`),
      ...unless(read.status === 200, `the status: ${detailOf(read)}`),
      ...unless(most_bytes - idle_bytes <= rss_growth_bytes_max, `${mb.toFixed(0)} MB of memory`),
    ],
  };
}

export const clientFaults: readonly Fault[] = listed.map((attack) => {
  const cause = attacks[attack.name]?.cause ?? attack.name;
  return {
    name: attack.name,
    cause,
    // Without a limit of requests, each turn of the daemon reads the 32 MB that arrive meanwhile.
    seconds_max: attack.name === 'large-bodies' ? 10 : 5,
    run: (field) => (attack.takesPort ? whilePortIsTaken(field, attack) : underAttack(field, attack)),
  };
});
