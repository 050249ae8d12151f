/**
 * A home with something of everything: missions of every kind and in every state, runs, tools, tokens, control events, an accepted
 * rollback, a witness with cosignatures, blobs, and two complete tiles. Copies of it are altered by the sweep.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { acceptRollback, pause, resume } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { addWitness, checkpoint, cosignedCheckpoint } from '../../src/app/log/checkpoint.js';
import { addApproverKey } from '../../src/app/approvals/approvers.js';
import { addWorkerKey, removeWorkerKey } from '../../src/app/workers/register.js';
import { bindWallet, issueChallenge } from '../../src/app/wallet/bind.js';
import { cancelMission, eraseMission, recoverMission } from '../../src/app/missions/missions.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import type { RunEngine } from '../../src/app/threads/engine-thread.js';
import { executeRun } from '../../src/app/simulation/runs/execute.js';
import { cancelRun, failRun, requestRun } from '../../src/app/simulation/runs/runs.js';
import { createToken, revokeToken, rotateToken } from '../../src/app/tokens/change.js';
import { importTool, setToolStatus } from '../../src/app/tools/tools.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { requestOf } from '../support/app/simulation.js';
import { computed } from '../support/app/given-simulations.js';
import * as given from '../support/app/given-home.js';
import { givenManifest } from '../support/app/given-tools.js';
import { copyTree, submit, temporaryHome, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { approverKey, event } from '../support/codec/given-events.js';
import { owner } from '../support/chain/wallet.js';
import { witnessServer } from '../support/witness/witness-server.js';

const { actor } = given;

/** Missions of the home by what became of them. */
export const missions = {
  queued: uuidOf(0x1001),
  code: uuidOf(0x1002),
  review: uuidOf(0x1003),
  largeResult: uuidOf(0x1004),
  completed: uuidOf(0x1005),
  completedResearch: uuidOf(0x1006),
  rejected: uuidOf(0x1007),
  failed: uuidOf(0x1008),
  cancelled: uuidOf(0x1009),
  recovered: uuidOf(0x100a),
  erased: uuidOf(0x100b),
  running: uuidOf(0x100c),
} as const;

/** Entries of earlier missions, so that there are two complete tiles of 256 and the beginning of a third. */
const earlier_entries = 420;
/** The numbers of these missions begin here. */
const earlier_first = 0x10_0000;
/** Entries of one transaction. */
const batch_entries = 50;
/** The control stream has more entries than are read again for its state. */
const pauses = 33;

export interface MixedHome {
  readonly home: TemporaryHome;
  /** The home as it was with the entries whose loss was accepted. */
  readonly lost: TemporaryHome;
  /** The home without its newest entries. */
  readonly earlier: TemporaryHome;
}

/** @param entries number of those of earlier missions */
export async function makeMixedHome(entries = earlier_entries): Promise<MixedHome> {
  const made = temporaryHome();
  await made.with(pauseOften);
  made.with((home) => fillTiles(home, entries));
  const lost = await loseEntries(made);
  await made.with(controlTheHome);
  await made.with((home) => liveWithMissions(home, made));
  await made.with(liveWithRuns);
  await made.with(useTokensAndTools);
  await made.with(getPaid);
  await cosign(made);
  await made.with((home) => given.queued(home, given.forecast('after both cosignatures')));
  const earlier = made.copy();
  await made.with((home) => endWithMissions(home, made));
  return { home: made, lost, earlier };
}

/** Commits some transactions of several entries and some of one. */
function fillTiles(home: Home, entries: number): void {
  const { writer } = home;
  const together = Math.max(batch_entries, Math.floor(entries / 20));
  for (let n = earlier_first; writer.head.size < entries - 10; n += together)
    queueTogether(home, n, Math.min(together, entries - 10 - writer.head.size));
  for (let n = 0x800; writer.head.size < entries; n++) writer.transact(submit(n));
}

async function pauseOften(home: Home): Promise<void> {
  for (let n = 0; n < pauses; n++) {
    await pause(home, actor);
    await resume(home, actor);
  }
}

/** Queues missions from number `first` on in one transaction. */
export function queueTogether({ writer }: Home, first: number, count: number): void {
  const size = writer.head.size + count;
  writer.begin();
  writer.run(Array.from({ length: count }, (_, i) => submit(first + i)));
  assert.equal(writer.head.size, size);
}

/** Puts an older copy back and accepts the loss; returns the home as it was before, with the entries that are lost. */
async function loseEntries(made: TemporaryHome): Promise<TemporaryHome> {
  const older = made.copy();
  await made.with(async (home) => {
    await given.queued(home, given.schedule('lost one'));
    await given.queued(home, given.schedule('lost two'));
  });
  const lost = made.copy();
  rmSync(made.directory, { recursive: true });
  copyTree(older.directory, made.directory);
  older.remove();
  await made.with((home) => acceptRollback(home, actor, 'the disk was replaced'), { tolerate: ['witness'] });
  return lost;
}

async function controlTheHome(home: Home): Promise<void> {
  await given.apply(home, { name: 'mixed' });
}

const gaveUp = { code: 'execution_failed', detail: 'the engine gave up' } as const;
const failing = given.fakeEngine(() => ({ type: 'refused', refusal: gaveUp }));
const allocation = (goal: string): unknown => ({
  goal,
  work: { kind: 'allocation', budget: 5, items: [{ id: 'roof', cost: 3, value: 4 }] },
});
/** The request of a mission that is queued a second time by the sweep. */
export const again = given.schedule('again', ['c', 'd']);
/** More than an event holds: stored as a blob. */
const largeResult = { method: 'fake', lines: Array.from({ length: 4_000 }, (_, i) => `line ${i} of a large result`) };

async function liveWithMissions(home: Home, { clock }: TemporaryHome): Promise<void> {
  const queue = (id: string, mission: unknown): Promise<MissionRecord> => {
    clock.now += 1_000;
    return given.run(home, mission, id);
  };
  const execute = async (id: string, mission: unknown, runEngine?: RunEngine): Promise<MissionRecord> => {
    await queue(id, mission);
    return given.execute(home, id, { runEngine });
  };
  const fail = async (id: string, mission: unknown): Promise<void> =>
    void (await given.rejectsRefusal(execute(id, mission, failing), gaveUp.code));
  const fake = given.fakeEngine();
  await given.review(home, await execute(missions.completed, given.schedule('sequence the orders')));
  await given.review(home, await execute(missions.completedResearch, given.research('high water')));
  const rejection = { approve: false, note: 'bad: do not use' };
  await given.review(home, await execute(missions.rejected, allocation('repair'), fake), rejection);
  await fail(missions.failed, given.forecast('visitors'));
  await queue(missions.cancelled, given.forecast('guests'));
  await cancelMission(home, missions.cancelled, actor);
  await fail(missions.recovered, again);
  await recoverMission(home, missions.recovered, actor);
  const personal = given.research('personal data', 'Mrs Brandauer keeps bees.');
  await given.review(home, await execute(missions.erased, personal, fake), rejection);
  await eraseMission(home, missions.erased, 'asked by the data subject', actor);
  await queue(missions.code, { goal: 'add', work: { kind: 'code', heldout: [{ args: [1], expected: 2 }] } });
  await execute(
    missions.largeResult,
    given.forecast('a long one'),
    given.fakeEngine(() => given.answered(largeResult)),
  );
}

/** Runs that succeed (one with its request in a blob), are cancelled, fail and wait. */
async function liveWithRuns(home: Home): Promise<void> {
  const request = async (seed: number, sectors: unknown = ['retail']): Promise<string> => {
    const asked = requestOf({ sectors, generations: 1, pop_size: 8 }, seed);
    return (await requestRun(home, { request: asked, runner: 'daemon', actor })).id;
  };
  const simulate = (task: Parameters<typeof computed>[0]): Promise<ReturnType<typeof computed>> =>
    Promise.resolve(computed(task));
  await executeRun(home, await request(1), { actor, simulate });
  const many = Array.from({ length: 900 }, (_, i) => ({ name: `sector number ${i} of nine hundred`, entropy: 1 + (i % 7) / 4 }));
  await executeRun(home, await request(2, many), { actor, simulate });
  await cancelRun(home, await request(3), actor);
  await failRun(home, await request(4), { code: 'interrupted', message: 'its process ended' }, actor);
  const waiting = { key: 'tuesday', body_sha256: sha256Hex('{}') };
  await requestRun(home, { request: requestOf({}, 5), runner: 'daemon', actor, idempotency: waiting });
  home.writer.transact((tx) => {
    const [completed, cancelled] = ['@sweep:aaaaaaaaaaaaaaaa', '@sweep:bbbbbbbbbbbbbbbb'];
    tx.append(completed, event('sweep.requested'));
    tx.append(completed, event('sweep.completed'));
    tx.append(cancelled, event('sweep.requested'));
    tx.append(cancelled, event('sweep.cancelled'));
  });
}

async function useTokensAndTools(home: Home): Promise<void> {
  await createToken(home, 'alice', 'reviewer', actor);
  await createToken(home, 'board', 'viewer', actor);
  await rotateToken(home, 'board', actor);
  await createToken(home, 'carol', 'admin', actor);
  await revokeToken(home, 'carol', actor);
  await rotateToken(home, 'api', actor);
  await importTool(home, given.jsonFile(join(home.paths.directory, '..'), givenManifest()), actor);
  await setToolStatus(home, 'mission_allocation', { to: 'quarantined', note: 'the bound looks wrong', actor });
  await setToolStatus(home, 'mission_code', { to: 'disabled', note: 'not now', actor });
  await setToolStatus(home, 'mission_code', { to: 'active', note: 'checked', actor });
  await addApproverKey(home, { name: 'alice', title: null, actor }, { kind: 'ssh', key: approverKey });
  await addWorkerKey(home, 'a1'.repeat(32), 'rack-1', actor);
  await addWorkerKey(home, 'b2'.repeat(32), 'rack-2', actor);
  await removeWorkerKey(home, 'b2'.repeat(32), actor);
}

/** A wallet, an invoice that was paid and one that awaits payment; what the chain says is not asked here. */
async function getPaid(home: Home): Promise<void> {
  const { message } = await issueChallenge(home, undefined, actor);
  await bindWallet(home, { signature: await owner.signMessage(message), address: owner.address, actor });
  home.writer.transact((tx) => {
    const [paid, open] = ['@invoice:00000000-0000-4000-8000-0000000000e1', '@invoice:00000000-0000-4000-8000-0000000000e2'];
    tx.append(paid, event('invoice.issued', { mission: missions.completed }));
    tx.append(`@receipt:31337:0x${'7'.repeat(64)}:3`, event('receipt.recorded', { mission: missions.completed }));
    tx.append(paid, event('invoice.paid'));
    tx.append(open, event('invoice.issued', { mission: missions.completedResearch }));
  });
}

/** A witness of the log cosigns a checkpoint when it is added, and a later one. */
async function cosign(made: TemporaryHome): Promise<void> {
  const { vkey } = made.with((home) => checkpoint(home, undefined));
  const witness = await witnessServer([vkey], 'witness.example/mixed');
  try {
    await made.with((home) => addWitness(home, { url: witness.url, vkey: witness.vkey, actor }));
    await made.with((home) => given.queued(home, given.forecast('between two cosignatures')));
    await made.with((home) => cosignedCheckpoint(home, undefined));
  } finally {
    await witness.close();
  }
}

/** The newest entries, after the cosigned checkpoints. The lease of an execution that is never ended holds for the sweep's clock. */
async function endWithMissions(home: Home, { clock }: TemporaryHome): Promise<void> {
  clock.now += 1_000;
  await given.queued(home, given.research('what the tides are', 'Tides follow the moon.'), missions.queued);
  await given.run(home, given.schedule('plan the week', ['e', 'f']), missions.review);
  await given.execute(home, missions.review);
  await given.run(home, given.forecast('still running'), missions.running);
  await given.leftRunning(home, missions.running);
}
