/** Invoices in a home, with the chain read on anvil. */
import assert from 'node:assert/strict';
import { exportText } from '../../src/app/exports/export.js';
import { pause } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { cancelInvoice, chainConfigHash } from '../../src/app/invoices/issue.js';
import { invoices } from '../../src/app/invoices/records.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { showMission } from '../../src/app/missions/missions.js';
import { completionOf } from '../../src/app/missions/record.js';
import { tokenAddress } from '../../src/codec/chain.js';
import { newestInvoice } from '../../src/tables/invoices.js';
import { bound, configureChain, silentChain } from '../support/chain/given-chain-home.js';
import { actor, forecast, produced, rejectsRefusal } from '../support/app/given-home.js';
import { approved, awaiting, invoiced, settling } from '../support/app/given-invoices.js';
import { lyingNode } from '../support/chain/lying-node.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { owner, payer } from '../support/chain/wallet.js';

const homes = homeForEach();
const day_ms = 86_400_000;

describe('invoice without a response of a chain', () => {
  homes.it('refuses work that is not approved, a paused home, and one without wallet or chain', async (home) => {
    await rejectsRefusal(invoiced(home, '00000000-0000-4000-8000-000000000001'), 'not_found');
    await rejectsRefusal(invoiced(home, (await produced(home, forecast())).id), 'wrong_state');
    const id = await approved(home);
    await rejectsRefusal(invoiced(home, id), 'chain_unconfigured');
    await configureChain(home, silentChain);
    await rejectsRefusal(invoiced(home, id), 'wrong_state');
    await bound(home);
    await pause(home, actor);
    await rejectsRefusal(invoiced(home, id), 'paused');
  });
});

real('anvil', 'invoice', () => {
  let chain: TokenChain;
  before(async () => {
    chain = await tokenChain();
    await chain.mine(5);
  });
  after(() => chain.stop());

  it('binds result, payer, recipient, amount and chain, and is one open invoice a mission', async () => {
    const { clock } = homes.get();
    await homes.get().with(async (home) => {
      await configureChain(home, chain.settings);
      await bound(home);
      const id = await approved(home);
      const head = Number(await chain.node.call('eth_blockNumber'));
      const made = await invoiced(home, id, { amount: '1.5', amount_units: undefined, expires_in_days: 2 } as never);
      assert.deepEqual(made, {
        id: made.id,
        mission: id,
        state: 'awaiting_payment',
        payer: payer.address,
        recipient: owner.address,
        amount_units: '1500000000000000000',
        amount: '1.5',
        chain_id: 31_337,
        environment: 'test_chain',
        chain_config_hash: chainConfigHash(chain.settings),
        result_hash: showMission(home, id).result_hash,
        issued_after_block: head,
        expires_at: '2026-11-22T05:00:00.000000Z',
        created_at: '2026-11-20T05:00:00.000000Z',
        uri: `ethereum:0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA@31337/transfer?address=${owner.address}&uint256=1500000000000000000`,
        transaction_hash: null,
        log_index: null,
      });
      await rejectsRefusal(invoiced(home, id), 'wrong_state');
      assert.equal((await cancelInvoice(home, id, actor)).state, 'cancelled');
      await rejectsRefusal(cancelInvoice(home, made.id, actor), 'wrong_state');
      const second = await invoiced(home, id, { expires_in_days: 1 });
      clock.now += day_ms + 1;
      assert.equal(invoices(home, {}).items[0]?.state, 'expired');
      const third = await invoiced(home, id);
      assert.deepEqual(
        invoices(home, {}).items.map((item) => [item.id, item.state]),
        [
          [third.id, 'awaiting_payment'],
          [second.id, 'expired'],
          [made.id, 'cancelled'],
        ],
      );
      const page = invoices(home, { limit: 2 });
      assert.deepEqual(
        invoices(home, { cursor: page.next_cursor ?? '' }).items.map((item) => item.id),
        [made.id],
      );
      await rejectsRefusal(cancelInvoice(home, '00000000-0000-4000-8000-000000000001', actor), 'not_found');
      const live = newestInvoice(home.db, id);
      rebuildHome(home, () => undefined);
      assert.deepEqual(newestInvoice(home.db, id), live);
    });
    await homes.get().with(async (home) => assert.equal((await verifyHome(home, { deep: true })).valid, true));
  });

  it('is not recorded where the configuration changes while the chain is read', async () => {
    const liar = await lyingNode(chain.node.url);
    const temporary = homes.get();
    await temporary.with(async (home) => {
      const settings = { ...chain.settings, rpc_url: liar.url };
      await configureChain(home, settings);
      await bound(home);
      const id = await approved(home);
      liar.lie = async ({ method, nth }, truth) => {
        if (method === 'eth_blockNumber' && nth === 1)
          await temporary.with((other) => configureChain(other, settings, { name: 'other' }));
        return truth;
      };
      await rejectsRefusal(invoiced(home, id), 'conflict');
      assert.deepEqual(invoices(home, {}).items, []);
    });
    await liar.stop();
  });
});

const marketOf = (home: Home, id: string): Readonly<Record<string, unknown>> | undefined =>
  showMission(home, id).stages.find(({ role }) => role === 'market')?.detail;

real('anvil', 'the record of a mission', () => {
  let chain: TokenChain;
  before(async () => {
    chain = await tokenChain();
    await chain.mine(5);
  });
  after(() => chain.stop());

  homes.it('shows the realized revenue once a payment is settled; entry, result hash and export do not change', async (home) => {
    const mission = await awaiting(home, chain.settings);
    const before = showMission(home, mission);
    const entry = completionOf(home.db, mission);
    const { receipt: exported } = JSON.parse(exportText(home, mission).text) as { receipt: unknown };
    assert.equal(marketOf(home, mission)?.['realized_revenue'], null);
    const { tx, log } = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(2);
    const settled = await settling(home, mission, tx, log);
    const { invoice, receipt, stages, ...rest } = showMission(home, mission);
    assert.deepEqual(receipt, settled.receipt);
    assert.deepEqual([invoice?.state, invoice?.transaction_hash, invoice?.log_index], ['paid', tx, log]);
    const { realized_revenue, token_settlement } = marketOf(home, mission) ?? {};
    const amount = { amount: '0.000000000000001', amount_units: '1000' };
    assert.deepEqual(realized_revenue, { ...amount, token: tokenAddress, chain_id: 31_337, environment: 'test_chain' });
    assert.equal(token_settlement, 'recorded');
    const { invoice: _1, receipt: _2, stages: earlier, ...unchanged } = before;
    assert.deepEqual(rest, unchanged, 'revision and result_hash among them');
    const others = (of: typeof stages): unknown => of.filter(({ role }) => role !== 'market');
    assert.deepEqual(others(stages), others(earlier));
    assert.deepEqual(completionOf(home.db, mission), entry);
    assert.deepEqual((JSON.parse(exportText(home, mission).text) as { receipt: unknown }).receipt, exported);
  });
});
