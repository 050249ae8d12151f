import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHead } from '../../src/journal/reader.js';
import { freshFetch } from '../support/http/fetch.js';
import { apply, schedule } from '../support/app/given-home.js';
import { packageRoot } from '../support/package-root.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { givenOperator, stopAfterEach, stopOperators, type GivenOperator, type Role } from './given-operator.js';
import type { Loose } from '../support/http/schema-check.js';

/** Every route and the least role that may use it, as the stored document says, which openapi.test.ts compares with the server's. */
const { paths }: Loose = JSON.parse(readFileSync(join(packageRoot(import.meta.url), 'docs', 'openapi.json'), 'utf8'));
const routes = Object.entries<Loose>(paths).flatMap(([path, item]) =>
  Object.entries<Loose>(item).map(([method, { 'x-role': least }]) => [method.toUpperCase(), path, String(least)] as const),
);
const roles = ['viewer', 'reviewer', 'admin'] as const;
const order: readonly string[] = ['public', ...roles];

describe('operator API: roles', () => {
  let operator: GivenOperator;
  before(async () => {
    operator = await givenOperator();
  });
  after(stopOperators);

  for (const [method, path, least] of routes) {
    it(`requires ${least} for ${method} ${path}`, async () => {
      const at = path.replace('{id}', path.includes('tools') ? 'none' : uuidOf(7)).replace('{file}', 'none.js');
      const ask = async (as: Role | 'none'): Promise<number> => {
        const abort = new AbortController();
        const headers: Record<string, string> = as === 'none' ? {} : { Authorization: `Bearer ${operator.tokens[as]}` };
        const response = await freshFetch(operator.url + at, { method, headers, signal: abort.signal });
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
