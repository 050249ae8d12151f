/** A closed home with rows in every table, and the alterations of each row. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inDatabase } from '../store/in-database.js';
import type { Home } from '../../../src/app/home/home.js';
import { addWitness } from '../../../src/app/log/checkpoint.js';
import { executeRun } from '../../../src/app/simulation/runs/execute.js';
import { requestRun } from '../../../src/app/simulation/runs/runs.js';
import { createToken, revokeToken } from '../../../src/app/tokens/change.js';
import { addApproverKey } from '../../../src/app/approvals/approvers.js';
import { addWorkerKey } from '../../../src/app/workers/register.js';
import { setToolStatus } from '../../../src/app/tools/tools.js';
import { bindWallet, issueChallenge } from '../../../src/app/wallet/bind.js';
import type { Db } from '../../../src/store/database.js';
import { actor, fakeEngine, forecast, produced, queued, review, schedule } from './given-home.js';
import { approverKey, event } from '../codec/given-events.js';
import { computed } from './given-simulations.js';
import { requestOf } from './simulation.js';
import { temporaryHome, uuidOf, type TemporaryHome } from './temporary-home.js';
import { owner } from '../chain/wallet.js';
import { cosigner } from '../witness/witness-server.js';

export interface MixedHome {
  readonly home: TemporaryHome;
  /** Ids of missions by their state. */
  readonly missions: Readonly<Record<'queued' | 'review' | 'completed', string>>;
  readonly runs: Readonly<Record<'queued' | 'succeeded', string>>;
}

/** The request id of the queued mission, and what repeats it. */
export const queuedMission = schedule('repeat');
export const run_key = 'key 1';
export const body_sha256 = 'ab'.repeat(32);

/** The transfer of the receipt. */
export const receipt_key = `31337:0x${'7'.repeat(64)}:3`;

export const worker_key = 'c1'.repeat(32);

export async function mixedHome(): Promise<MixedHome> {
  const home = temporaryHome();
  return home.with(async (opened) => {
    const missions = {
      completed: (await completedByFake(opened)).id,
      review: (await produced(opened, forecast('look at it'))).id,
      queued: (await queued(opened, queuedMission)).id,
    };
    const runs = { succeeded: await succeeded(opened), queued: await asked(opened) };
    await createToken(opened, 'ci', 'viewer', actor);
    await createToken(opened, 'old', 'reviewer', actor);
    await revokeToken(opened, 'old', actor);
    await setToolStatus(opened, 'backup', { to: 'deprecated', note: 'why', actor });
    await addWitness(opened, { url: 'http://127.0.0.1:1', vkey: cosigner('w1').vkey, actor });
    const { message } = await issueChallenge(opened, undefined, actor);
    await bindWallet(opened, { signature: await owner.signMessage(message), address: owner.address, actor });
    opened.writer.transact((tx) => {
      tx.append(`@invoice:${uuidOf(7)}`, event('invoice.issued', { mission: missions.completed }));
      tx.append(`@receipt:${receipt_key}`, event('receipt.recorded', { mission: missions.completed }));
    });
    await addWorkerKey(opened, worker_key, 'rack-1', actor);
    await addApproverKey(opened, { name: 'alice', title: null, actor }, { kind: 'ssh', key: approverKey });
    return { home, missions, runs };
  });
}

const completedByFake = async (home: Home): Promise<{ readonly id: string }> =>
  review(home, await produced(home, forecast('done')), { runEngine: fakeEngine() });

const asked = async (home: Home): Promise<string> =>
  (
    await requestRun(home, {
      request: requestOf({ horizon: 2 }),
      runner: 'daemon',
      actor,
      idempotency: { key: run_key, body_sha256 },
    })
  ).id;

async function succeeded(home: Home): Promise<string> {
  const { id } = await requestRun(home, { request: requestOf({ horizon: 2 }), runner: 'daemon', actor });
  await executeRun(home, id, { actor, simulate: async (task) => computed(task) });
  return id;
}

/** A mixed home for all tests of a suite, to copy. */
export function sharedMixedHome(): { readonly get: () => Promise<MixedHome> } {
  let made: Promise<MixedHome> | null = null;
  after(async () => (await made)?.home.remove());
  return { get: () => (made ??= mixedHome()) };
}

/** Changes the database of a home behind the program's back. */
export const tamper = ({ directory }: Pick<TemporaryHome, 'directory'>, change: string | ((db: Db) => void)): void =>
  inDatabase(join(directory, 'journal.sqlite3'), (db) => void (typeof change === 'string' ? db.exec(change) : change(db)));

export interface Alteration {
  readonly title: string;
  readonly change: (db: Db) => void;
}

export type TableName =
  | 'control'
  | 'invoice'
  | 'mission'
  | 'receipt'
  | 'simulation'
  | 'token'
  | 'tool'
  | 'wallet'
  | 'witness'
  | 'approver'
  | 'worker';

/** Returns an alteration of each value in the rows of a table that fit `where`. */
export function alteredValues(db: Db, table: TableName, where: string): Alteration[] {
  const row =
    db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} WHERE ${where}`).get() ?? assert.fail(`no ${table}`);
  // A table has one row for each of its keys, and the key of a table for a single state is always 1.
  const columns = Object.keys(row).filter((column) => !((table === 'control' || table === 'wallet') && column === 'id'));
  return columns.map((column) => ({
    title: `${table}.${column}`,
    change: (altered) =>
      column === 'record'
        ? void altered.exec(`UPDATE mission SET record = json_set(record, '$.attempt', 9) WHERE ${where}`)
        : void altered.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(other(column, row[column])),
  }));
}

/** Returns the alteration that removes the rows that fit `where`. */
export const deleted = (table: TableName, where: string): Alteration => ({
  title: `${table} without the row`,
  change: (db) => void db.exec(`DELETE FROM ${table} WHERE ${where}`),
});

/** Returns another value that the program would take for this column. */
function other(column: string, value: unknown): string | number {
  if (typeof value === 'number') return value + 1_000;
  if (column === 'log_index') return 9;
  if (typeof value !== 'string') return column.endsWith('_at') ? '2001-01-01T00:00:00.000000Z' : 'cd'.repeat(32);
  const known = others.find((values) => values.includes(value));
  if (known !== undefined) return known.find((one) => one !== value) ?? '';
  const last = value.at(-1) === '0' ? '1' : '0';
  return value.endsWith('Z') ? `2001${value.slice(4)}` : value.slice(0, -1) + last;
}

const others: readonly (readonly string[])[] = [
  ['queued', 'review', 'completed', 'failed'],
  ['succeeded', 'cancelled'],
  ['ready', 'paused'],
  ['awaiting_payment', 'paid'],
  ['active', 'revoked', 'disabled'],
  ['deprecated', 'active'],
  ['viewer', 'admin'],
  ['daemon', 'command'],
  ['forecast', 'schedule'],
];
