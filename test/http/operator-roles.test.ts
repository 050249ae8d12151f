import assert from 'node:assert/strict';
import { readHead } from '../../src/journal/reader.js';
import { freshFetch } from '../support/http/fetch.js';
import { apply, forecast, schedule } from '../support/app/given-home.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { givenOperator, stopAfterEach, stopOperators, type GivenOperator, type Role } from './given-operator.js';
import type { Loose } from '../support/http/schema-check.js';

const id = uuidOf(7);

/** Every route, the least role that may use it, and a body that passes for a mutation. */
const routes: readonly (readonly [method: string, path: string, least: Role | 'public', body?: unknown])[] = [
  ['GET', '/', 'public'],
  ['GET', '/favicon.ico', 'public'],
  ['GET', '/assets/{file}', 'public'],
  ['GET', '/healthz', 'public'],
  ['GET', '/api/status', 'viewer'],
  ['GET', '/api/doctor', 'viewer'],
  ['GET', '/api/agents', 'viewer'],
  ['GET', '/api/alerts', 'viewer'],
  ['GET', '/metrics', 'viewer'],
  ['GET', '/api/openapi.json', 'viewer'],
  ['GET', '/api/missions', 'viewer'],
  ['GET', '/api/missions/{id}', 'viewer'],
  ['GET', '/api/missions/{id}/events', 'viewer'],
  ['GET', '/api/missions/{id}/export', 'viewer'],
  ['GET', '/api/missions/{id}/report.html', 'viewer'],
  ['GET', '/api/missions/{id}/report.csv', 'viewer'],
  ['GET', '/api/missions/{id}/report.xlsx', 'viewer'],
  ['GET', '/api/missions/{id}/review/subject', 'reviewer'],
  ['GET', '/api/missions/{id}/report.ics', 'viewer'],
  ['GET', '/api/missions/{id}/report.md', 'viewer'],
  ['GET', '/api/journal', 'viewer'],
  ['GET', '/api/journal/checkpoint', 'viewer'],
  ['GET', '/api/journal/entries/{sequence}', 'viewer'],
  ['GET', '/api/journal/proof', 'viewer'],
  ['GET', '/api/events', 'viewer'],
  ['GET', '/api/tools', 'viewer'],
  ['GET', '/api/tools/{id}', 'viewer'],
  ['POST', '/api/login', 'public', {}],
  ['POST', '/api/login-code', 'viewer'],
  ['POST', '/api/logout', 'viewer'],
  ['POST', '/api/missions', 'reviewer', forecast()],
  ['GET', '/api/templates/{kind}/{format}', 'viewer'],
  ['POST', '/api/intake', 'reviewer', { files: [{ name: 'a.csv', bytes: 1 }] }],
  ['POST', '/api/intake/{id}/parts', 'reviewer', { file: 0, at: 0, data: 'YQ==' }],
  ['POST', '/api/intake/{id}', 'reviewer', { kind: 'forecast' }],
  ['POST', '/api/missions/{id}/execute', 'reviewer'],
  ['POST', '/api/missions/{id}/review', 'reviewer', { revision: 1, result_hash: 'a'.repeat(64), approve: true, note: 'x' }],
  ['POST', '/api/missions/{id}/recover', 'reviewer'],
  ['POST', '/api/missions/{id}/cancel', 'reviewer'],
  ['GET', '/api/approvers', 'viewer'],
  ['POST', '/api/approvers/{name}/remove', 'admin', { reason: 'left' }],
  ['POST', '/api/approver-links', 'admin', { name: 'alice' }],
  ['POST', '/api/approver-links/open', 'public', {}],
  ['POST', '/api/approver-links/register', 'public', {}],
  ['POST', '/api/control', 'admin', { state: 'ready' }],
  ['GET', '/api/wallet', 'viewer'],
  ['GET', '/api/wallet/balance', 'viewer'],
  ['GET', '/api/invoices', 'viewer'],
  ['GET', '/api/missions/{id}/verify-receipt', 'viewer'],
  ['POST', '/api/wallet/challenge', 'admin', {}],
  ['POST', '/api/wallet/bind', 'admin', { signature: '0x' }],
  ['POST', '/api/missions/{id}/invoice', 'admin', { payer: '0x', amount: '1' }],
  ['POST', '/api/invoices/{id}/cancel', 'admin'],
  ['POST', '/api/missions/{id}/settle', 'admin', { transaction: '0x' }],
  ['POST', '/api/tools', 'admin', {}],
  ['POST', '/api/tools/{id}/status', 'admin', { status: 'active', note: 'x' }],
];
const roles = ['viewer', 'reviewer', 'admin'] as const;
const order: readonly string[] = ['public', ...roles];

describe('operator API: roles', () => {
  let operator: GivenOperator;
  before(async () => {
    operator = await givenOperator();
  });
  after(stopOperators);

  it('are tested for every route', async () => {
    const { paths } = await operator.get('/api/openapi.json', 'viewer');
    const documented = Object.entries<Loose>(paths).flatMap(([path, item]) =>
      Object.entries<Loose>(item).map(([method, { 'x-role': role }]) => `${method.toUpperCase()} ${path} ${role}`),
    );
    assert.deepEqual(documented.toSorted(), routes.map(([method, path, least]) => `${method} ${path} ${least}`).toSorted());
  });

  for (const [method, path, least, body] of routes) {
    it(`requires ${least} for ${method} ${path}`, async () => {
      const at = path.replace('{id}', path.includes('tools') ? 'none' : id).replace('{file}', 'none.js');
      const ask = async (as: Role | 'none'): Promise<number> => {
        const abort = new AbortController();
        const token = as === 'none' ? {} : { Authorization: `Bearer ${operator.tokens[as]}` };
        const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await freshFetch(operator.url + at, {
          method,
          headers: { ...token, ...type },
          ...sent,
          signal: abort.signal,
        });
        abort.abort();
        return response.status;
      };
      const before = readHead(operator.home.db).size;
      if (least !== 'public') assert.equal(await ask('none'), 401);
      for (const role of roles) {
        const status = await ask(role);
        if (order.indexOf(role) < order.indexOf(least)) assert.equal(status, 403, role);
        else assert.ok(![401, 403, 405].includes(status), `${role}: ${status}`);
        if (status === 403) assert.equal(readHead(operator.home.db).size, before);
      }
    });
  }
});

describe('operator API: the actor of an event', () => {
  stopAfterEach();

  it('is in each event by the token’s name, `operator` for api.token, and no role is taken from elsewhere', async () => {
    const { ask, get } = await givenOperator();
    const { id: one } = (await ask('POST', '/api/missions', { as: 'reviewer', body: schedule() })).body;
    const { revision, result_hash } = (await ask('POST', `/api/missions/${one}/execute?wait=1`, { as: 'admin' })).body;
    const body = { revision, result_hash, approve: false, note: 'no' };
    const rejected = await ask('POST', `/api/missions/${one}/review`, { as: 'reviewer', body });
    assert.deepEqual([rejected.body.state, rejected.body.review.actor], ['rejected', 'bob']);
    const { items } = await get(`/api/missions/${one}/events`);
    const actors = items.map(({ type, document }: Loose) => [type, document.actor ?? document.review?.actor]);
    assert.deepEqual(
      actors.filter(([, actor]: Loose) => actor !== undefined),
      [
        ['mission.submitted', 'bob'],
        ['mission.execution_requested', 'operator'],
        ['mission.leased', 'operator'],
        ['mission.rejected', 'bob'],
      ],
    );
    assert.deepEqual((await get('/api/status', 'viewer')).actor, { name: 'alice', role: 'viewer' });
  });

  it('serves the text of the configuration by no route', async () => {
    const chain = {
      rpc_url: 'https://node.example/v3/SECRET',
      chain_id: 1,
      token_code_sha256: 'a'.repeat(64),
      confirmations: 12,
      reinvest_bps: 0,
    };
    const { ask, get } = await givenOperator({}, async (home) => {
      await apply(home, { chain });
    });
    assert.equal((await ask('GET', '/api/config')).status, 404);
    const { paths } = await get('/api/openapi.json', 'admin');
    const readable = Object.keys(paths).filter((path) => paths[path].get !== undefined && !/[{]|events$|balance$/.test(path));
    assert.ok(readable.length > 8, readable.join(' '));
    for (const path of readable) assert.ok(!(await ask('GET', path)).text.includes('SECRET'), path);
  });
});
