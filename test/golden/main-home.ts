/** The main golden home: a year of an operator's work in a minute, in which every type of event occurs. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { witnessServer } from '../support/witness-server.js';
import { end, itemsOf, operatorIn, serve, until, type Json, type Operator, type Served } from './operator.js';
import { daemonEvents } from './daemon-events.js';
import { boundWallet, paidWork } from './paid-work.js';
import * as samples from './samples.js';

const { requestId } = samples;

/** Request ids with the request that each was used with: sent again, it must return the same mission. */
export type Requests = Map<string, Json>;

export interface MadeHome {
  readonly operator: Operator;
  readonly requests: Requests;
}

export async function makeMainHome(folder: string): Promise<MadeHome> {
  const made: MadeHome = { operator: operatorIn(folder), requests: new Map() };
  const { run } = made.operator;
  await run(['init']);
  await acceptRollback(made.operator);
  const { vkey } = await run(['checkpoint']);
  const witness = await witnessServer([String(vkey)], 'witness.example/golden');
  try {
    await run(['witness', 'add', witness.url, witness.vkey, '--as', 'dana']);
    await changeToolsAndTokens(made.operator);
    await workerKeys(made.operator);
    await boundWallet(made.operator);
    await missionsOfEachKind(made);
    await paidWork(made.operator, await approvedMission(made));
    await erasedMissions(made);
    await runsThatEnd(made.operator);
    const served = await serve(made.operator);
    try {
      await missionsThroughTheDaemon(made, served);
      await runsThroughTheDaemon(served);
    } finally {
      await served.stop();
    }
    await daemonEvents(made.operator);
    await interruptedMissions(made);
    await run(['checkpoint']);
  } finally {
    await witness.close();
  }
  return made;
}

/** An old copy of the home is put back, and the loss is accepted. */
async function acceptRollback({ run, file, home, folder }: Operator): Promise<void> {
  const copy = join(folder, 'copy');
  await run(['run', file(samples.planMission(0))]);
  cpSync(home, copy, { recursive: true });
  await run(['run', file(samples.planMission(0))]);
  rmSync(home, { recursive: true });
  cpSync(copy, home, { recursive: true });
  rmSync(copy, { recursive: true });
  await run(['recover-home', '--accept-rollback', '--reason', "disk failure; yesterday's copy", '--as', 'dana']);
  await run(['resume']);
}

async function changeToolsAndTokens({ run, file }: Operator): Promise<void> {
  await run(['tool', 'import', file(samples.toolManifest)]);
  await run(['tool', 'status', 'mission_allocation', '--set', 'quarantined', '--note', 'the bound looks wrong']);
  await run(['tool', 'status', 'mission_allocation', '--set', 'active', '--note', 'checked by hand']);
  await run(['token', 'create', 'alice', '--role', 'reviewer']);
  await run(['token', 'create', 'board', '--role', 'viewer', '--as', 'dana']);
  await run(['token', 'rotate', 'board']);
  await run(['token', 'revoke', 'board']);
}

async function workerKeys({ run }: Operator): Promise<void> {
  const [kept, removed] = samples.workerKeys;
  await run(['worker-key', 'add', kept, '--name', 'rack-1']);
  await run(['worker-key', 'add', removed, '--name', 'rack-2', '--as', 'dana']);
  await run(['worker-key', 'remove', removed]);
}

/** Queues a mission under the next request id. */
export async function submit({ operator: { run, file }, requests }: MadeHome, request: Json): Promise<string> {
  const id = requestId(requests.size + 1);
  requests.set(id, request);
  await run(['run', file(request), '--request-id', id]);
  return id;
}

/** Executes a queued mission and decides it. */
export async function finish(
  { run }: Operator,
  id: string,
  verdict: 'approve' | 'reject' = 'approve',
  as = 'alice',
): Promise<void> {
  const { revision, result_hash } = await run(['execute', id]);
  const shown = ['--revision', String(revision), '--result-hash', String(result_hash), `--${verdict}`];
  await run(['review', id, ...shown, '--note', 'read against the figures', '--as', as]);
}

async function missionsOfEachKind(made: MadeHome): Promise<void> {
  const { operator } = made;
  for (const kind of ['research', 'allocation', 'schedule', 'forecast'] as const)
    await finish(operator, await submit(made, samples.example(kind)));
  // Seeded by the result that was approved before.
  await finish(operator, await submit(made, samples.example('allocation')));
  await submit(made, samples.example('code'));
  await finish(operator, await submit(made, samples.largeMission()));
  await finish(operator, await submit(made, samples.forecastMission(0)), 'reject', 'dana');
  await operator.run(['execute', await submit(made, samples.planMission(1))]);
}

async function approvedMission(made: MadeHome): Promise<string> {
  const id = await submit(made, samples.forecastMission(1));
  await finish(made.operator, id, 'approve', 'dana');
  return id;
}

async function erasedMissions(made: MadeHome): Promise<void> {
  const { operator } = made;
  for (const verdict of ['reject', 'approve'] as const) {
    const id = await submit(made, samples.researchMission(verdict.length));
    await finish(operator, id, verdict);
    await operator.run(['erase', id, '--reason', 'the retention period is over']);
  }
}

const running = async ({ run }: Operator, command: 'list' | 'runs'): Promise<boolean> =>
  itemsOf(await run([command, '--state', 'running'])).length > 0;

/** Runs that succeed, one of which keeps request and outcome in blobs, one that is cancelled, and one whose process is killed. */
async function runsThatEnd(operator: Operator): Promise<void> {
  const { run, file, start } = operator;
  await run(['simulate', '--curve', 'linear', '--entropy', '2', '--samples', '50', '--seed', '7']);
  const { sectors, generations, pop_size, seed } = samples.largeRun();
  const large = ['--generations', String(generations), '--pop-size', String(pop_size), '--seed', String(seed)];
  await run(['simulate', '--sectors', file(sectors), ...large, '--as', 'dana']);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const child = start(['simulate', '--pop-size', '1000', '--sectors', '100', '--generations', '10000', '--seed', '1']);
    await until('the run is under way', child, () => running(operator, 'runs'));
    await end(child, signal);
  }
  await run(['runs']);
}

const bulk_missions = 44;

async function missionsThroughTheDaemon({ requests }: MadeHome, { post }: Served): Promise<void> {
  const { planMission, researchMission, scheduleMission, forecastMission } = samples;
  const makers = [planMission, researchMission, scheduleMission, forecastMission];
  for (let n = 1; n <= bulk_missions; n++) {
    const request = makers[n % makers.length]!(100 + n);
    const id = requestId(requests.size + 1);
    requests.set(id, request);
    await post('operator', 'api/missions', request, { 'idempotency-key': id });
    const { revision, result_hash } = await post('operator', `api/missions/${id}/execute?wait=1`);
    if (n % 20 === 0) continue;
    const decision = { revision, result_hash, approve: n % 11 !== 0, note: `read by the committee of ${n}` };
    await post('operator', `api/missions/${id}/review`, decision);
  }
}

async function runsThroughTheDaemon({ post, get }: Served): Promise<void> {
  const asked = { sectors: ['retail', { name: 'mining', growth: 0.02 }], seed: 3, horizon: 12, curve: 'exponential' };
  const { id } = await post('simulation', 'simulate', asked, { 'idempotency-key': 'tuesday' });
  while ((await get('simulation', `runs/${String(id)}`))['state'] !== 'succeeded') await sleep(100);
}

/** A mission that is stopped, recovered and cancelled, and another whose process was killed, so that its lease stays. */
async function interruptedMissions(made: MadeHome): Promise<void> {
  const { operator } = made;
  const { run, file, start } = operator;
  await run(['pause', '--as', 'dana']);
  await run(['configure', file(samples.longConfiguration)]);
  await run(['resume']);
  const leave = async (id: string, signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    const child = start(['execute', id]);
    await until('the mission is executing', child, () => running(operator, 'list'));
    await end(child, signal);
  };
  const stopped = await submit(made, samples.longMission());
  await leave(stopped, 'SIGINT');
  await run(['recover', stopped]);
  await run(['cancel', stopped, '--as', 'erin']);
  const failed = await submit(made, { ...samples.longMission(), goal: 'Sequence what nobody finished' });
  await leave(failed, 'SIGINT');
  await leave(await submit(made, { ...samples.longMission(), goal: 'Sequence what was cut off' }), 'SIGKILL');
}
