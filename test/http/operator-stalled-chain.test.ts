/** A node that stalls: it holds no other request, and a reading ends with its client and with the daemon. */
import assert from 'node:assert/strict';
import { chain_readings_per_actor_max } from '../../src/http/operator/payments.js';
import { freshFetch } from '../support/http/fetch.js';
import { until } from '../support/app/given-daemon.js';
import { real } from '../support/real.js';
import { stopOperators } from './given-operator.js';
import { givenPayments, type PaidOperator } from './given-payments.js';

real('anvil', 'operator API: a chain that stalls', () => {
  let given: PaidOperator;
  beforeEach(async () => void (given = await givenPayments()));
  afterEach(async () => {
    await stopOperators();
    await given.stop();
  });
  /** Begins readings that never end by themselves, and resolves when the node has all of them. */
  const stall = async (number: number, as: 'viewer' | 'admin', signal?: AbortSignal): Promise<Promise<Response>[]> => {
    await given.lie(() => new Promise(() => undefined));
    const { url, tokens } = given.operator;
    const headers = { Authorization: `Bearer ${tokens[as]}` };
    const begun = Array.from({ length: number }, () =>
      freshFetch(`${url}/api/wallet/balance`, { headers, ...(signal === undefined ? {} : { signal }) }),
    );
    await until(() => given.liar().calls.length === number);
    return begun;
  };

  it('holds no other request, and one actor holds only its share', async () => {
    const id = await given.approved();
    const begun = await stall(chain_readings_per_actor_max, 'viewer');
    const { ask, get } = given.operator;
    const more = await ask('GET', '/api/wallet/balance', { as: 'viewer' });
    assert.deepEqual([more.status, more.body.code, more.headers.get('retry-after')], [503, 'busy', '5'], more.text);
    assert.equal((await get('/api/status', 'viewer')).control, 'ready');
    assert.equal((await get(`/api/missions/${id}`)).invoice, null);
    const admin = ask('GET', '/api/wallet/balance');
    await until(() => given.liar().calls.length === chain_readings_per_actor_max + 1);
    await given.operator.stop();
    for (const answer of [...begun, admin]) {
      const { status } = await answer;
      assert.equal(status, 503, 'interrupted: the daemon stops');
    }
  });

  it('is abandoned when the client is gone', async () => {
    const controller = new AbortController();
    const begun = await stall(chain_readings_per_actor_max, 'viewer', controller.signal);
    controller.abort();
    await Promise.allSettled(begun);
    await given.lie(null);
    await until(async () => (await given.operator.ask('GET', '/api/wallet/balance', { as: 'viewer' })).status === 200);
  });
});
