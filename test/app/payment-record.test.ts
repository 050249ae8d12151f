/** What a mission's record shows of its payment, on a local chain. The completing entry, its result and its export stay as they are. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { exportText } from '../../src/app/exports/export.js';
import { cancelInvoice } from '../../src/app/invoices/issue.js';
import { invoices } from '../../src/app/invoices/records.js';
import { showMission } from '../../src/app/missions/missions.js';
import { completingEntry } from '../../src/app/missions/store.js';
import { tokenAddress } from '../../src/codec/chain.js';
import { actor, forecast, produced } from '../support/given-home.js';
import { awaiting, invoiced, settling } from '../support/given-invoices.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { owner } from '../support/wallet.js';

const homes = homeForEach();
const day_ms = 86_400_000;

const marketOf = (home: Home, id: string): Readonly<Record<string, unknown>> | undefined =>
  showMission(home, id).stages.find(({ role }) => role === 'market')?.detail;

real('anvil', 'the record of a mission', () => {
  let chain: TokenChain;
  before(async () => {
    chain = await tokenChain();
    await chain.mine(5);
  });
  after(() => chain.stop());

  it('has no invoice and no receipt before there is one, and then the newest', async () => {
    await homes.get().with(async (home) => {
      const { id } = await produced(home, forecast());
      assert.deepEqual([showMission(home, id).invoice, showMission(home, id).receipt], [null, null]);
      const mission = await awaiting(home, chain.settings);
      const { invoice, receipt } = showMission(home, mission);
      assert.deepEqual([invoice, receipt], [invoices(home, {}).items[0], null]);
      await cancelInvoice(home, mission, actor);
      assert.equal(showMission(home, mission).invoice?.state, 'cancelled');
      const second = await invoiced(home, mission, { expires_in_days: 1 });
      assert.deepEqual(showMission(home, mission).invoice, second);
      homes.get().clock.now += day_ms + 1;
      assert.equal(showMission(home, mission).invoice?.state, 'expired');
    });
  });

  it('shows the realized revenue once a payment is settled; entry, result hash and export do not change', async () => {
    await homes.get().with(async (home) => {
      const mission = await awaiting(home, chain.settings);
      const before = showMission(home, mission);
      const entry = completingEntry(home.db, mission);
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
      assert.deepEqual(completingEntry(home.db, mission), entry);
      assert.deepEqual((JSON.parse(exportText(home, mission).text) as { receipt: unknown }).receipt, exported);
    });
  });
});
