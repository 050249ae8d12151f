/** Invoices and settlement over HTTP, on a local chain: from approved work to a verified receipt, and every refusal; altered tables; a node that stalls. */
import assert from 'node:assert/strict';
import { badPayers, badTokens, badUnits } from '../support/app/bad-payments.js';
import { lies, malformedAnswers, malformedReceipts } from '../support/chain/node-lies.js';
import { real } from '../support/real.js';
import type { Loose } from '../support/http/schema-check.js';
import { owner, payer } from '../support/chain/wallet.js';
import { stopOperators } from './given-operator.js';
import { givenPayments, refused, thousand, type PaidOperator } from './given-payments.js';
import { tamper } from '../support/app/mixed-home.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { chain_readings_per_actor_max } from '../../src/http/operator/payments.js';
import { freshFetch } from '../support/http/fetch.js';
import { until } from '../support/app/given-daemon.js';
import { membersOf } from '../support/lists.js';

real('anvil', 'operator API: payments', () => {
  let given: PaidOperator;
  before(async () => void (given = await givenPayments()));
  afterEach(() => given.lie(null));
  after(async () => {
    await stopOperators();
    await given.stop();
  });
  const settlePath = (mission: string): string => `/api/missions/${mission}/settle`;

  it('lead from approved work to a receipt that verifies', async () => {
    const { ask, get } = given.operator;
    const { chain } = await get('/api/status', 'viewer');
    assert.deepEqual([chain.chain_id, chain.environment, chain.confirmations], [31_337, 'test_chain', 3]);
    const mission = await given.approved();
    const path = `/api/missions/${mission}`;
    const body = { payer: payer.address, amount: '1.5', expires_in_days: 2 };
    const issued = await ask('POST', `${path}/invoice`, { body });
    assert.deepEqual([issued.status, issued.body.amount_units], [201, '1500000000000000000'], issued.text);
    assert.deepEqual((await get(path, 'viewer')).invoice, issued.body);
    await refused(given.operator, `${path}/invoice`, body, [409, 'wrong_state']);
    const cancelled = await ask('POST', `/api/invoices/${issued.body.id}/cancel`);
    assert.deepEqual([cancelled.status, cancelled.body.state], [200, 'cancelled'], cancelled.text);
    assert.equal((await ask('POST', `/api/invoices/${mission}/cancel`)).body.code, 'wrong_state');
    assert.equal((await ask('POST', `${path}/invoice`, { body: thousand })).status, 201);
    assert.equal((await ask('GET', `${path}/verify-receipt`)).status, 404);
    const { tx } = await given.chain.mined('transfer', owner.address, 1_000n);
    const early = await refused(given.operator, settlePath(mission), { transaction: tx }, [409, 'not_yet']);
    assert.match(early.detail, /not confirmed yet/);
    await given.chain.mine(2);
    const settled = await ask('POST', settlePath(mission), { body: { transaction: tx } });
    assert.deepEqual([settled.status, settled.body.outcome], [200, 'settled'], settled.text);
    const record = await get(path, 'viewer');
    assert.deepEqual([record.invoice.state, record.receipt], ['paid', settled.body.receipt]);
    assert.equal(record.stages.find(({ role }: Loose) => role === 'market').detail.realized_revenue.amount_units, '1000');
    const verified = await ask('GET', `${path}/verify-receipt`, { as: 'viewer' });
    assert.deepEqual([verified.status, verified.body.valid], [200, true], verified.text);
    assert.equal((await get('/api/wallet/balance', 'viewer')).balance_units, '1000');
    const page = await get('/api/invoices?limit=1', 'viewer');
    assert.deepEqual(membersOf(page.items, 'state'), ['paid']);
    const older = await get(`/api/invoices?limit=1&cursor=${page.next_cursor}`);
    assert.equal(older.items[0].id, issued.body.id);
    await given.lie(lies['block_not_canonical']?.[0]?.[1] ?? null);
    const gone = await ask('GET', `${path}/verify-receipt`, { as: 'viewer' });
    assert.deepEqual([gone.status, gone.body.valid], [200, false], gone.text);
  });

  it('refuse bad amounts, payers and days before the chain is read', async () => {
    const path = `/api/missions/${await given.approved()}/invoice`;
    const { payer: from } = thousand;
    const bad: readonly (readonly [unknown, string])[] = [
      ...badUnits.map((amount_units) => [{ payer: from, amount_units }, 'amount_units'] as const),
      ...badTokens.map((amount) => [{ payer: from, amount }, 'amount'] as const),
      ...[1.5, 1_000, null].map((amount_units) => [{ payer: from, amount_units }, 'amount_units'] as const),
      [{ payer: from, amount: 1 }, 'amount'],
      [{ ...thousand, amount: '1' }, 'amount'],
      [{ payer: from }, 'amount'],
      ...badPayers.map((bad_) => [{ ...thousand, payer: bad_ }, 'payer'] as const),
      [{ amount_units: '1' }, 'payer'],
      [{ ...thousand, payer: 1 }, 'payer'],
      ...[0, 1.5, -1, 4_000, '1'].map((expires_in_days) => [{ ...thousand, expires_in_days }, 'expires_in_days'] as const),
      [{ ...thousand, actor: 'eve' }, 'actor'],
    ];
    for (const [body, at] of bad) {
      const { errors } = await refused(given.operator, path, body, [422, 'invalid']);
      assert.equal(errors[0].path, at, JSON.stringify(body));
    }
    for (const [amount, shortest] of [
      ['007', '7'],
      ['00.50', '0.50'],
    ]) {
      const { errors } = await refused(given.operator, path, { payer: from, amount }, [422, 'invalid']);
      assert.equal(errors[0].message, `has leading zeros; write ${shortest}`);
    }
    await refused(given.operator, path, { payer: from, amount_units: 1e300 }, [400, 'malformed']);
    assert.equal(given.liar().calls.length, 0, 'no call was made');
  });

  it('refuse malformed transactions and log indices', async () => {
    const mission = await given.awaiting();
    const transaction = `0x${'ab'.repeat(32)}`;
    for (const body of [
      {},
      { transaction: '0x12' },
      { transaction: transaction.slice(2) },
      { transaction: `${transaction}00` },
      { transaction: 1 },
      ...[-1, 1.5, '0'].map((log_index) => ({ transaction, log_index })),
    ])
      await refused(given.operator, settlePath(mission), body, [422, 'invalid']);
    await refused(given.operator, settlePath(mission), { transaction, log_index: 2 ** 53 }, [400, 'malformed']);
    await refused(given.operator, '/api/missions/x/settle', { transaction }, [422, 'invalid']);
    await refused(given.operator, settlePath('00000000-0000-4000-8000-000000000001'), { transaction }, [404, 'not_found']);
    await refused(given.operator, settlePath(await given.approved()), { transaction }, [409, 'settlement_refused']);
  });

  it('respond with 502 where a node does not respond as it should, and never show its address', async () => {
    const mission = await given.awaiting();
    const { tx: transaction, log: log_index } = await given.paid();
    for (const [title, lie] of [...malformedAnswers, ...malformedReceipts]) {
      await given.lie(lie);
      const problem = await refused(given.operator, settlePath(mission), { transaction, log_index }, [502, 'chain_unreachable']);
      assert.doesNotMatch(JSON.stringify(problem), /127\.0\.0\.1/, title);
    }
    assert.doesNotMatch(given.operator.log.join(''), new RegExp(new URL(given.liar().url).host));
  });

  it('are recorded once where two requests settle at the same moment', async () => {
    const mission = await given.awaiting();
    const { tx: transaction } = await given.paid();
    const { ask, home } = given.operator;
    const { size } = home.writer.head;
    const settle = (): ReturnType<typeof ask> => ask('POST', settlePath(mission), { body: { transaction } });
    const answers = await Promise.all([settle(), settle(), settle()]);
    for (const { status, body } of answers) assert.deepEqual([status, body.outcome], [200, 'settled']);
    assert.equal(answers.filter(({ body }) => body.already_recorded === true).length, 2);
    assert.equal(home.writer.head.size, size + 2, 'a receipt, and the invoice is paid');
  });

  it('are refused while the agent is paused', async () => {
    const mission = await given.awaiting();
    const { tx: transaction } = await given.paid();
    const { ask } = given.operator;
    await ask('POST', '/api/control', { body: { state: 'paused' } });
    await refused(given.operator, settlePath(mission), { transaction }, [409, 'paused']);
    await refused(given.operator, `/api/missions/${mission}/invoice`, thousand, [409, 'paused']);
    await refused(given.operator, `/api/invoices/${mission}/cancel`, undefined, [409, 'paused']);
    assert.equal((await ask('GET', '/api/wallet/balance')).status, 200);
    await ask('POST', '/api/control', { body: { state: 'ready' } });
    assert.equal((await ask('POST', settlePath(mission), { body: { transaction } })).status, 200);
  });
});

/** Begins readings that never end by themselves, and resolves when the node has all of them. */
async function stall({ operator, lie, liar }: PaidOperator, number: number, signal?: AbortSignal): Promise<Promise<Response>[]> {
  await lie(() => new Promise(() => undefined));
  const headers = { Authorization: `Bearer ${operator.tokens.viewer}` };
  const begun = Array.from({ length: number }, () =>
    freshFetch(`${operator.url}/api/wallet/balance`, { headers, ...(signal === undefined ? {} : { signal }) }),
  );
  await until(() => liar().calls.length === number);
  return begun;
}

real('anvil', 'operator API: payments, and what goes wrong', () => {
  let given: PaidOperator;
  before(async () => void (given = await givenPayments()));
  after(async () => {
    await stopOperators();
    await given.stop();
  });

  it('shows an invoice and a receipt whose rows name another mission and amount', async () => {
    const [open, paid] = [await given.awaiting(), await given.awaiting()];
    const { ask, get, given: home } = given.operator;
    const { tx: transaction } = await given.paid();
    await ask('POST', `/api/missions/${paid}/settle`, { body: { transaction } });
    const [one, other] = [await get(`/api/missions/${open}`), await get(`/api/missions/${paid}`)];
    tamper(
      home,
      `UPDATE invoice SET mission = '${uuidOf(9)}'; UPDATE receipt SET mission = '${uuidOf(9)}', amount_units = '9000'`,
    );
    assert.deepEqual(await get(`/api/missions/${open}`), one);
    assert.deepEqual(await get(`/api/missions/${paid}`), other);
    await refused(given.operator, `/api/missions/${open}/invoice`, thousand, [409, 'wrong_state']);
    const unused = { transaction: (await given.paid()).tx };
    await refused(given.operator, `/api/missions/${open}/settle`, unused, [500, 'integrity']);
    assert.equal((await get('/api/status')).journal.valid, false);
  });

  it('abandons a reading whose client is gone', async () => {
    const controller = new AbortController();
    const begun = await stall(given, chain_readings_per_actor_max, controller.signal);
    controller.abort();
    await Promise.allSettled(begun);
    await given.lie(null);
    await until(async () => (await given.operator.ask('GET', '/api/wallet/balance', { as: 'viewer' })).status === 200);
  });

  it('holds no other request where the chain stalls, and one actor holds only its share', async () => {
    const begun = await stall(given, chain_readings_per_actor_max);
    const { ask, get } = given.operator;
    const more = await ask('GET', '/api/wallet/balance', { as: 'viewer' });
    assert.deepEqual([more.status, more.body.code, more.headers.get('retry-after')], [503, 'busy', '5'], more.text);
    assert.equal((await get('/api/status', 'viewer')).control, 'ready');
    const admin = ask('GET', '/api/wallet/balance');
    await until(() => given.liar().calls.length === chain_readings_per_actor_max + 1);
    await given.operator.stop();
    for (const answer of [...begun, admin]) {
      const { status } = await answer;
      assert.equal(status, 503, 'interrupted: the daemon stops');
    }
  });
});
