/** A server whose tables are altered while it runs: reads show what was signed, and only what stops work is recorded. */
import assert from 'node:assert/strict';
import { inDatabase } from '../support/store/in-database.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { setToolStatus } from '../../src/app/tools/tools.js';
import { until, verified } from '../support/app/given-daemon.js';
import { actor, forecast, produced, queued } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';
import { uuidOf, submit } from '../support/app/temporary-home.js';
import { pause } from '../../src/app/control/control.js';
import type { Db } from '../../src/store/database.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { assertNone } from '../support/lists.js';

interface Given extends GivenOperator {
  readonly reviewed: string;
  readonly waiting: string;
}

async function given(): Promise<Given> {
  const ids = { reviewed: '', waiting: '' };
  const server = await givenOperator({ daemon: verified }, async (home) => {
    ids.reviewed = (await produced(home)).id;
    ids.waiting = (await queued(home)).id;
    await setToolStatus(home, 'backup', { to: 'deprecated', note: 'why', actor });
    await createToken(home, 'ci', 'viewer', actor);
  });
  await until(() => server.daemon.verification().valid === true);
  return { ...server, ...ids };
}

const validOf = async ({ get }: Given): Promise<unknown> => (await get('/api/status')).journal.valid;

describe('a server whose tables are altered', () => {
  stopAfterEach();

  it('shows the signed state, and reports that the journal is not valid', async () => {
    const server = await given();
    const { get, reviewed, waiting } = server;
    const before = { list: await get('/api/missions'), one: await get(`/api/missions/${reviewed}`) };
    tamper(
      server.given,
      `UPDATE mission SET state = 'completed', goal = 'forged' WHERE id = '${reviewed}'; DELETE FROM mission WHERE id = '${waiting}'`,
    );
    assert.deepEqual(await get('/api/missions'), before.list);
    assert.equal(await validOf(server), false);
    assert.deepEqual(await get(`/api/missions/${reviewed}`), before.one);
    assert.deepEqual(await get('/api/missions?state=completed'), { items: [], next_cursor: null });
    assert.equal((await get(`/api/missions/${waiting}`)).state, 'queued');
    assert.equal((await get('/api/status')).counts.queued, 1);
    await until(() => server.log.some((line) => line.includes('the journal failed its verification: the table row of mission')));
  });

  it('refuses what would be recorded, but for what stops work', async () => {
    const { ask, get, reviewed, waiting, ...server } = await given();
    const { revision, result_hash } = await get(`/api/missions/${reviewed}`);
    tamper(server.given, "UPDATE mission SET goal = 'forged'");
    const body = { revision, result_hash, approve: false, note: 'no' };
    const refused = [
      await ask('POST', `/api/missions/${reviewed}/review`, { body }),
      await ask('POST', `/api/missions/${waiting}/execute`),
      await ask('POST', '/api/missions', { body: forecast('another') }),
      await ask('POST', '/api/tools/backup/status', { body: { status: 'disabled', note: 'again' } }),
    ];
    for (const { status, body: problem } of refused) assert.deepEqual([status, problem.code], [500, 'integrity']);
    const cancelled = await ask('POST', `/api/missions/${waiting}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.state, cancelled.body.goal], [200, 'failed', 'try']);
    assert.equal((await ask('POST', '/api/control', { body: { state: 'paused' } })).status, 200);
    assert.equal((await get('/api/status')).control, 'paused');
    assert.equal((await ask('POST', '/api/control', { body: { state: 'ready' } })).status, 500);
  });

  it('knows its callers and its tools by the signed entries', async () => {
    const server = await given();
    const { ask, get } = server;
    const before = await get('/api/tools');
    tamper(server.given, "UPDATE token SET role = 'admin'; DELETE FROM tool; UPDATE control SET state = 'paused'");
    assert.equal((await get('/api/status', 'viewer')).actor.role, 'viewer');
    assert.equal((await ask('POST', '/api/control', { as: 'reviewer', body: { state: 'paused' } })).status, 403);
    assert.deepEqual(await get('/api/tools'), before);
    const status = await get('/api/status');
    assert.deepEqual([status.control, status.journal.valid], ['ready', false]);
  });
});

describe('operator API: a missing table of the journal', () => {
  stopAfterEach();

  const drop = ({ home }: GivenOperator, table: string): void => {
    inDatabase(home.paths.journal, (db) => db.exec(`DROP TABLE ${table}`));
  };

  for (const [table, method, path, body, status, code] of [
    ['mission', 'GET', '/api/missions', undefined, 200, undefined],
    ['mission', 'GET', `/api/missions/${uuidOf(1)}`, undefined, 404, 'not_found'],
    ['mission', 'POST', '/api/missions', forecast(), 500, 'integrity'],
    ['control', 'POST', '/api/control', { state: 'paused' }, 200, undefined],
    ['control', 'POST', '/api/control', { state: 'ready' }, 500, 'integrity'],
    ['tool', 'GET', '/api/tools', undefined, 200, undefined],
    ['token', 'GET', '/api/journal/checkpoint', undefined, 200, undefined],
  ] as const) {
    it(`responds to ${method} ${path} with ${status} without the table ${table}, and counts the journal as damaged`, async () => {
      const operator = await givenOperator({}, async (home) => {
        // A list of nothing reads no row.
        await queued(home, forecast('queued before'));
        await setToolStatus(home, 'backup', { to: 'deprecated', note: 'why', actor });
        if (body !== undefined && 'state' in body && body.state === 'ready') await pause(home, actor);
      });
      drop(operator, table);
      const { status: responded, body: document } = await operator.ask(method, path, { body });
      assert.deepEqual([responded, document?.code], [status, code]);
      const { journal } = (await operator.ask('GET', '/api/status')).body;
      assert.equal(journal.valid, false);
      assert.match(operator.daemon.verification().failure ?? '', new RegExp(`table:? ${table}|the ${table} table`));
      assertNone(operator.log, (line) => line.includes('"fault"'));
    });
  }

  it('responds with 500 integrity without the table events, and names the backup as the way out', async () => {
    const operator = await givenOperator();
    drop(operator, 'events');
    const { status, body: problem } = await operator.ask('GET', '/api/journal');
    assert.deepEqual([status, problem.code, problem.hint], [500, 'integrity', 'agent-cli restore --help']);
  });
});

const rowOf = (db: Db): Record<string, unknown> =>
  db.prepare<[], Record<string, unknown>>("SELECT * FROM token WHERE name = 'bob'").get() ?? assert.fail('no row');

function putBack(db: Db, row: Readonly<Record<string, unknown>>): void {
  const columns = Object.keys(row);
  db.prepare(`REPLACE INTO token (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`).run(row);
}

const hidden = (which: string) => (db: Db) =>
  withoutTriggers(db, () => db.exec(`UPDATE events SET mission = '@token:bab' WHERE mission = '@token:bob' ${which}`));

const hiding: Readonly<Record<string, (db: Db) => void>> = {
  'its row': () => undefined,
  'its row, and its last entry is hidden': hidden("AND seq = (SELECT max(seq) FROM events WHERE mission = '@token:bob')"),
  'its row, and its entries are hidden': hidden(''),
};

/** A server beside which a token is revoked, at once or long before the newest entries. */
async function revoked(isOld: boolean, row: { value: Record<string, unknown> }): Promise<GivenOperator> {
  const server = await givenOperator({ daemon: verified });
  await until(() => server.daemon.verification().valid === true);
  assert.equal((await server.ask('GET', '/api/status', { as: 'reviewer' })).status, 200);
  row.value = server.given.with(({ db }) => rowOf(db));
  await server.given.with((home) => revokeToken(home, 'bob', actor), { isUrgent: true });
  if (isOld)
    server.given.with(({ writer }) => {
      writer.begin();
      writer.run(Array.from({ length: 300 }, (_, n) => submit(n)));
    });
  assert.equal((await server.ask('GET', '/api/status', { as: 'reviewer' })).status, 401);
  return server;
}

describe('a token that was revoked beside a server', () => {
  stopAfterEach();
  for (const isOld of [false, true]) {
    for (const [title, hide] of Object.entries(hiding)) {
      it(`stays refused after somebody put back ${title}, ${isOld ? 'in' : 'after'} the snapshot`, async () => {
        const row = { value: {} };
        const { ask, given: home } = await revoked(isOld, row);
        tamper(home, (db) => {
          hide(db);
          putBack(db, row.value);
        });
        for (let n = 0; n < 3; n++) assert.equal((await ask('GET', '/api/status', { as: 'reviewer' })).status, 401);
        // Who is not concerned still has access.
        assert.equal((await ask('GET', '/api/status')).status, 200);
      });
    }
  }
});
