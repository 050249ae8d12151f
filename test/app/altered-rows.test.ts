/** Whatever shows a row or decides by it refuses one that the signed entries do not make, and `rebuild` repairs it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findMission } from '../../src/app/ascension/deliver.js';
import { backupHome } from '../../src/app/backup/backup.js';
import { exportText } from '../../src/app/exports/export.js';
import { pause, resume } from '../../src/app/control/control.js';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { addWitness, listWitnesses } from '../../src/app/log/checkpoint.js';
import { cancelMission, eraseMission, listPage, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { missionEntries } from '../../src/app/operator/entries.js';
import { executeRun, verifyRun } from '../../src/app/simulation/runs/execute.js';
import { insightOf, newestRun } from '../../src/app/simulation/insight.js';
import { runRecords, showRun } from '../../src/app/simulation/runs/stored.js';
import { cancelRun, failDeadRuns } from '../../src/app/simulation/runs/runs.js';
import { activeTokens } from '../../src/app/tokens/authenticate.js';
import { createToken, revokeToken, rotateToken, listTokens } from '../../src/app/tokens/change.js';
import { readReceipt } from '../../src/tables/receipts.js';
import { listTools, setToolStatus, showTool } from '../../src/app/tools/tools.js';
import { cancelInvoice, invoices } from '../../src/app/invoices/issue.js';
import { bindWallet, issueChallenge } from '../../src/app/wallet/bind.js';
import { addApproverKey, listApprovers, removeApprover, showApprover } from '../../src/app/approvals/approvers.js';
import { acceptedKeys, addWorkerKey, listWorkerKeys, refuteWorkerKey, removeWorkerKey } from '../../src/app/workers/register.js';
import { actor, execute, fakeEngine, laterRefusalOf, queued } from '../support/app/given-home.js';
import {
  alteredValues,
  deleted,
  queuedMission,
  receipt_key,
  sharedMixedHome,
  tamper,
  type MixedHome,
  type TableName,
  worker_key,
} from '../support/app/mixed-home.js';
import { uuidOf, type TemporaryHome } from '../support/app/temporary-home.js';
import { passkey } from '../support/base/passkeys.js';
import { owner } from '../support/chain/wallet.js';
import { fullEffort } from '../support/effort.js';
import { cosigner } from '../support/witness/witness-server.js';

interface Use {
  readonly title: string;
  /** The row that it reads, in the table. */
  readonly where: (given: MixedHome) => string;
  readonly read: (home: Home, given: MixedHome) => unknown;
}

const mission = (title: string, state: keyof MixedHome['missions'], read: (home: Home, id: string) => unknown): Use => ({
  title,
  where: ({ missions }) => `id = '${missions[state]}'`,
  read: (home, { missions }) => read(home, missions[state]),
});
const run = (title: string, state: keyof MixedHome['runs'], read: (home: Home, id: string) => unknown): Use => ({
  title,
  where: ({ runs }) => `id = '${runs[state]}'`,
  read: (home, { runs }) => read(home, runs[state]),
});
const constant = (where: string, reads: Readonly<Record<string, (home: Home) => unknown>>): readonly Use[] =>
  Object.entries(reads).map(([title, read]) => ({ title, where: () => where, read }));

const reviewed = { revision: 1, result_hash: 'ab'.repeat(32), approve: true, note: 'fits', actor, runEngine: fakeEngine() };

/** What reads each table, to show a row or to decide by it. */
const uses: Readonly<Record<TableName, readonly Use[]>> = {
  mission: [
    mission('list', 'completed', (home) => listPage(home, {})),
    mission('list, found by its id', 'completed', (home, id) => listPage(home, { q: id })),
    mission('show', 'completed', (home, id) => showMission(home, id)),
    mission('its entries', 'completed', (home, id) => missionEntries(home, id)),
    mission('export', 'completed', (home, id) => exportText(home, id)),
    mission('erase', 'completed', (home, id) => eraseMission(home, id, 'why', actor)),
    mission('the same goal', 'completed', (home, id) => findMissionOf(home, id)),
    mission('review', 'review', (home, id) => reviewMission(home, id, reviewed)),
    mission('recover', 'review', (home, id) => recoverMission(home, id, actor)),
    mission('a repeated request', 'queued', (home, id) => queued(home, queuedMission, id)),
    mission('execute', 'queued', (home, id) => execute(home, id)),
    mission('cancel', 'queued', (home, id) => cancelMission(home, id, actor)),
  ],
  simulation: [
    run('runs', 'succeeded', (home) => runRecords(home.db, {})),
    run('one run', 'succeeded', (home, id) => showRun(home.db, id, false)),
    run('verify-run', 'succeeded', (home, id) => verifyRun(home, id)),
    run('the newest results', 'succeeded', (home) => newestRun(home.db)),
    run('the mean of all', 'succeeded', (home) => insightOf(home.db, null)),
    run('the mean of some', 'succeeded', (home, id) => insightOf(home.db, [id])),
    run('cancel', 'queued', (home, id) => cancelRun(home, id, actor)),
    run('execute', 'queued', (home, id) => executeRun(home, id, { actor })),
    run('the sweep for dead runs', 'queued', (home) => failDeadRuns(home, { actor, isDaemon: true })),
  ],
  token: constant("name = 'ci'", {
    'token list': (home) => listTokens(home),
    'token create': (home) => createToken(home, 'ci', 'viewer', actor),
    'token rotate': (home) => rotateToken(home, 'ci', actor),
    'token revoke': (home) => revokeToken(home, 'ci', actor),
    'a request with a token': (home) => activeTokens(home).ownerOf('x'.repeat(43)),
  }),
  tool: constant("id = 'backup'", {
    'tool list': (home) => listTools(home),
    'tool show': (home) => showTool(home, 'backup'),
    'tool status': (home) => setToolStatus(home, 'backup', { to: 'disabled', note: 'why', actor }),
    backup: (home) => backupHome(home, join(home.paths.directory, '..', 'a.zip')),
  }),
  control: constant('id = 1', {
    pause: (home) => pause(home, actor),
    resume: (home) => resume(home, actor),
    list: (home) => listPage(home, {}),
  }),
  invoice: constant('issued_seq > 0', {
    invoices: (home) => invoices(home, {}),
    'invoice-cancel': (home) => cancelInvoice(home, uuidOf(7), actor),
  }),
  receipt: constant('revision > 0', {
    'the use of a transfer': (home) => readReceipt(home.db, receipt_key),
  }),
  wallet: constant('id = 1', {
    'wallet-challenge': (home) => issueChallenge(home, undefined, actor),
    'wallet-bind': async (home) => bindWallet(home, { signature: await owner.signMessage('x'), actor }),
  }),
  witness: constant("name = 'w1'", {
    'witness list': (home) => listWitnesses(home),
    'witness add': (home) => addWitness(home, { url: 'http://127.0.0.1:2', vkey: cosigner('w2').vkey, actor }),
  }),
  approver: constant("name = 'alice'", {
    'approver list': (home) => listApprovers(home),
    'approver show': (home) => showApprover(home, 'alice'),
    'approver add': (home) => addApproverKey(home, { name: 'bob', title: null, actor }, { kind: 'passkey', key: passkey().pem }),
    'approver remove': (home) => removeApprover(home, { name: 'alice', fingerprint: null, reason: 'why', actor }),
  }),
  worker: constant("name = 'rack-1'", {
    'worker-key list': (home) => listWorkerKeys(home),
    'worker-key add': (home) => addWorkerKey(home, 'c2'.repeat(32), 'rack-2', actor),
    'worker-key remove': (home) => removeWorkerKey(home, worker_key, actor),
    'a refuted key': (home) => refuteWorkerKey(home, worker_key, 'why', actor),
    'the result of a worker': (home) => acceptedKeys(home),
  }),
};

const findMissionOf = (home: Home, id: string): unknown => {
  const goal = home.db.prepare<[string], string>('SELECT goal FROM mission WHERE id = ?').pluck().get(id);
  return findMission(home.db, 0, goal ?? 'done');
};

/** The goal for which is searched is the altered one here, which no signed mission has. */
const hidden: Readonly<Record<string, readonly string[]>> = { 'the same goal': ['goal'] };

const rebuild = (home: TemporaryHome): unknown =>
  home.with((opened) => rebuildHome(opened, () => undefined), { tolerate: damageFaults });

describe('a row that its signed entries do not make', () => {
  const template = sharedMixedHome();

  for (const [table, readers] of Object.entries(uses) as [TableName, readonly Use[]][]) {
    it(`is refused by whatever reads it, and rebuilt: ${table}`, async () => {
      const given = await template.get();
      const home = given.home.copy();
      // Whoever refuses changes nothing, so that all who read a row meet the same change of it.
      for (const where of new Set(readers.map((reader) => reader.where(given)))) {
        const reading = readers.filter((reader) => reader.where(given) === where);
        const rows = home.with(({ db }) => [...alteredValues(db, table, where), deleted(table, where)]);
        for (const [turn, { title: change, change: alter }] of rows.entries()) {
          tamper(home, alter);
          // By default one in three readers meets a change, and others the next one.
          const due = reading.filter((_, i) => fullEffort || reading.length === 1 || (turn + i) % 3 === 0);
          for (const { title, read } of due) {
            if (hidden[title]?.some((column) => change === `${table}.${column}`) === true) continue;
            const refusal = await laterRefusalOf(async () => await home.with(async (opened) => await read(opened, given)));
            const what = `${title} beside ${change}: ${refusal?.detail ?? 'not refused'}`;
            assert.deepEqual([refusal?.code, refusal?.hint], ['integrity', 'agent-cli rebuild'], what);
            assert.match(refusal?.detail ?? '', /does not match its signed entries$/, what);
          }
          rebuild(home);
        }
      }
      const { failure } = await home.with((opened) => verifyHome(opened, { deep: true }));
      assert.equal(failure, null);
      home.remove();
    });
  }
});
