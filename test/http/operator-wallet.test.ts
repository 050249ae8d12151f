/** The wallet over HTTP: a challenge and its signature. test/app/wallet.test.ts and chain/signatures.test.ts have every signature that binds nothing. */
import assert from 'node:assert/strict';
import { owner, parts, stranger, withV } from '../support/chain/wallet.js';
import { givenOperator, stopOperators } from './given-operator.js';
import { refused } from './given-payments.js';

describe('operator API: a wallet', () => {
  after(stopOperators);

  it('is bound by a signature, named by the caller or by the challenge', async () => {
    const at = await givenOperator();
    const { ask, get } = at;
    assert.deepEqual(await get('/api/wallet', 'viewer'), { address: null, bound_at: null });
    const challenge = async (body: unknown = {}): Promise<string> =>
      (await ask('POST', '/api/wallet/challenge', { body })).body.message;
    const bind = '/api/wallet/bind';
    await refused(at, bind, { signature: await owner.signMessage('x') }, [409, 'wrong_state']);
    const message = await challenge();
    const signature = await owner.signMessage(message);
    const unnamed = await refused(at, bind, { signature }, [422, 'invalid']);
    assert.equal(unnamed.facts.address, owner.address);
    const made = parts(owner, message);
    const { address } = owner;
    const bad: readonly unknown[] = [
      { signature: withV(made, 2), address },
      { signature: await stranger.signMessage(message), address },
      { signature: 1, address },
      { address },
      { signature, address, more: 1 },
    ];
    for (const body of bad) await refused(at, bind, body, [422, 'invalid']);
    for (const body of [[], { address: 1 }, { address: '0x0' }, { address: address.replace('f', 'F') }])
      await refused(at, '/api/wallet/challenge', body, [422, 'invalid']);
    const bound = await ask('POST', bind, { body: { signature, address } });
    assert.deepEqual([bound.status, bound.body.address], [200, address], bound.text);
    assert.deepEqual(await get('/api/wallet', 'viewer'), bound.body);
    await refused(at, bind, { signature, address }, [409, 'wrong_state']);
    await refused(at, '/api/wallet/challenge', { address: stranger.address }, [409, 'wrong_state']);
    const first = await challenge({ address });
    const named = await owner.signMessage(await challenge({ address: address.toLowerCase() }));
    await refused(at, bind, { signature: await owner.signMessage(first) }, [409, 'wrong_state']);
    assert.equal((await ask('POST', bind, { body: { signature: named } })).status, 200);
  });

  it('is reported as missing without a configured chain', async () => {
    const { ask, get } = await givenOperator();
    assert.equal((await get('/api/status')).chain, null);
    const balance = await ask('GET', '/api/wallet/balance', { as: 'viewer' });
    assert.deepEqual([balance.status, balance.body.code], [503, 'chain_unconfigured']);
  });
});
