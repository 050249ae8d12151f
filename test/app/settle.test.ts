/** Settlements on a real chain: the exact transfer is recorded once, and every other one is refused for its reason or is not yet. */
import assert from 'node:assert/strict';
import { readHead } from '../../src/journal/reader.js';
import { pause, resume } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { cancelInvoice, chainConfigHash, invoices } from '../../src/app/invoices/issue.js';
import { verifyReceipt } from '../../src/app/invoices/verify-receipt.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { showMission } from '../../src/app/missions/missions.js';
import type { SettleReport } from '../../src/codec/api-invoices.js';
import { tokenAddress } from '../../src/codec/chain.js';
import { missionReceipt } from '../../src/tables/receipts.js';
import { bound, configureChain, silentChain } from '../support/chain/given-chain-home.js';
import { actor, rejectsRefusal } from '../support/app/given-home.js';
import { approved, awaiting, invoiced, settling, unsettled } from '../support/app/given-invoices.js';
import { lyingNode, type LyingNode } from '../support/chain/lying-node.js';
import { lies } from '../support/chain/node-lies.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/chain/token-chain.js';
import { owner, payer, stranger } from '../support/chain/wallet.js';

const homes = homeForEach();
const unknown = `0x${'ab'.repeat(32)}`;

real('anvil', 'settle', () => {
  let chain: TokenChain;
  before(async () => {
    chain = await tokenChain();
    await chain.mined('mint', stranger.address, 10n ** 20n);
    await chain.mine(5);
  });
  after(() => chain.stop());

  /** A test of a mission whose invoice awaits 1000 base units. */
  const itAwaits = (title: string, test: (home: Home, mission: string) => Promise<void>): void =>
    homes.it(title, async (home) => test(home, await awaiting(home, { ...chain.settings, reinvest_bps: 2_505 })));
  const paid = async (to = owner.address, units = 1_000n): Promise<{ readonly tx: string; readonly log: number }> => {
    const made = await chain.mined('transfer', to, units);
    await chain.mine(2);
    return made;
  };

  itAwaits('records the confirmed transfer with its evidence, and the invoice is paid', async (home, mission) => {
    const { tx, log } = await paid();
    const { blockNumber, blockHash } = (await chain.receipt(tx))!;
    const { outcome, receipt } = await settling(home, mission, tx.toUpperCase().replace('X', 'x'), log);
    assert.equal(outcome, 'settled');
    const { block_time, verified_at_hash, verified_at_block, invoice, ...rest } = receipt!;
    const [item] = invoices(home, {}).items;
    assert.deepEqual(rest, {
      mission,
      result_hash: showMission(home, mission).result_hash,
      payer: payer.address,
      recipient: owner.address,
      amount_units: '1000',
      chain_id: 31_337,
      chain_config_hash: chainConfigHash(home.config().chain!),
      transaction_hash: tx,
      log_index: log,
      environment: 'test_chain',
      token: tokenAddress,
      token_code_sha256: chain.settings.token_code_sha256,
      block_number: Number(blockNumber),
      block_hash: blockHash,
      confirmations: 3,
      earmark_units: '250',
      reinvest_bps: 2_505,
      executed: false,
      recorded_at: '2026-11-20T05:00:00.000000Z',
    });
    assert.deepEqual([verified_at_block, verified_at_hash], [Number(blockNumber), blockHash]);
    assert.match(block_time, /^20\d\d-.*Z$/);
    assert.deepEqual([item?.id, item?.state, item?.transaction_hash, item?.log_index], [invoice, 'paid', tx, log]);
    await rejectsRefusal(invoiced(home, mission), 'wrong_state');
    const live = missionReceipt(home.db, mission);
    rebuildHome(home, () => undefined);
    assert.deepEqual(missionReceipt(home.db, mission), live);
    await homes.get().with(async (again) => assert.equal((await verifyHome(again, { deep: true })).valid, true));
  });

  itAwaits('reports not_yet for a transaction that is in no block or not confirmed', async (home, mission) => {
    assert.equal(await unsettled(home, mission, unknown, 0), 'not_yet');
    const tx = await chain.send('transfer', [owner.address, 1_000n]);
    assert.equal(await unsettled(home, mission, tx), 'not_yet');
    await chain.mine(2);
    assert.equal(await unsettled(home, mission, tx), 'not_yet');
    await chain.mine(1);
    assert.equal((await settling(home, mission, tx)).outcome, 'settled');
  });

  itAwaits('refuses another sender, recipient, amount or token, and a log that is not there', async (home, mission) => {
    const other = await chain.send('transfer', [owner.address, 1_000n], { from: stranger.address });
    const look = await chain.deploy();
    await chain.mined('mint', payer.address, 1n);
    await chain.send('mint', [payer.address, 1_000n], { to: look });
    const alike = await chain.send('transfer', [owner.address, 1_000n], { to: look });
    const cases: readonly (readonly [string, string])[] = [
      [other, 'wrong_sender'],
      [alike, 'wrong_token'],
      [(await chain.mined('transfer', stranger.address, 1_000n)).tx, 'wrong_recipient'],
      [(await chain.mined('transfer', owner.address, 999n)).tx, 'wrong_amount'],
      [(await chain.mined('transfer', owner.address, 1_001n)).tx, 'wrong_amount'],
      [(await chain.mined('mint', owner.address, 1_000n)).tx, 'wrong_sender'],
    ];
    await chain.mine(3);
    for (const [tx, reason] of cases) {
      const log = Number((await chain.receipt(tx))!.logs[0]!.logIndex);
      assert.equal(await unsettled(home, mission, tx, log), reason);
      assert.equal(await unsettled(home, mission, tx, log + 1_000), 'log_missing');
      assert.equal(await unsettled(home, mission, tx), reason, 'the only log is judged');
    }
  });

  homes.it('refuses a failed transaction, and one before the invoice', async (home) => {
    const early = await paid();
    const mission = await awaiting(home, chain.settings);
    const failed = await chain.mined('transferAndFail', owner.address, 1_000n);
    await chain.mine(3);
    assert.equal(failed.log, -1);
    assert.equal(await unsettled(home, mission, failed.tx, 0), 'transaction_failed');
    assert.equal(await unsettled(home, mission, early.tx, early.log), 'predates_invoice');
  });

  itAwaits('consumes a transfer once; of two equal ones each pays one invoice, and a person chooses', async (home, mission) => {
    const [second, third] = [await approved(home, 'earn more'), await approved(home, 'earn most')];
    for (const each of [second, third]) await invoiced(home, each);
    const { tx, log } = await chain.mined('transferTwice', owner.address, 1_000n);
    await chain.mine(2);
    const { facts, hint } = await rejectsRefusal(settling(home, mission, tx), 'conflict');
    assert.deepEqual(facts, { log_indices: [log, log + 1] });
    assert.equal(hint, `agent-cli settle ${mission} --transaction ${tx} --log-index ${log}`);
    assert.equal((await settling(home, mission, tx, log)).outcome, 'settled');
    assert.equal(await unsettled(home, second, tx, log), 'transfer_already_used');
    const left = await rejectsRefusal(settling(home, second, tx), 'conflict');
    assert.equal(left.hint, `agent-cli settle ${second} --transaction ${tx} --log-index ${log + 1}`);
    assert.equal((await settling(home, second, tx, log + 1)).outcome, 'settled');
    assert.equal(await unsettled(home, third, tx), 'transfer_already_used', 'there is none to choose');
  });

  itAwaits('consumes it once, also when a deep reorganisation gives it another index', async (home, mission) => {
    const second = await approved(home, 'earn more');
    await invoiced(home, second);
    await chain.send('mint', [stranger.address, 1n], { from: stranger.address });
    const { tx, log } = await paid();
    assert.equal((await settling(home, mission, tx)).receipt?.log_index, 1);
    await chain.node.call('anvil_reorg', 3, [[await chain.node.call('eth_getRawTransactionByHash', tx), 0]]);
    assert.deepEqual([log, Number((await chain.receipt(tx))?.logs[0]?.logIndex)], [1, 0]);
    assert.equal(await unsettled(home, second, tx), 'transfer_already_used');
  });

  itAwaits('returns the receipt of the same transfer again, also while paused, and records nothing', async (home, mission) => {
    const { tx, log } = await paid();
    const first = await settling(home, mission, tx, log);
    await pause(home, actor);
    const head = readHead(home.db).size;
    const again = { ...first, detail: 'the payment was recorded before', already_recorded: true };
    for (const index of [log, undefined])
      assert.deepEqual(await settling(home, mission, tx.toUpperCase().replace('0X', '0x'), index), again);
    assert.equal(readHead(home.db).size, head);
    await resume(home, actor);
    assert.equal(await unsettled(home, mission, tx, log + 1), 'invoice_not_open');
  });

  itAwaits('needs the chain settings of the invoice, and no others', async (home, mission) => {
    const { tx, log } = await paid();
    const settings = home.config().chain!;
    for (const changed of [null, { ...settings, confirmations: 2 }, { ...settings, reinvest_bps: 0 }, silentChain]) {
      const { warnings } = await configureChain(home, changed);
      assert.match(String(warnings), /only under an earlier "chain", which this home no longer has: 1$/);
      assert.equal(await unsettled(home, mission, tx, log), 'chain_settings_changed');
    }
    assert.equal((await configureChain(home, settings, { max_evaluations: 50 })).warnings, undefined);
    assert.equal((await settling(home, mission, tx, log)).outcome, 'settled');
  });

  homes.it('needs an open invoice', async (home) => {
    await configureChain(home, chain.settings);
    await bound(home);
    const mission = await approved(home);
    assert.equal(await unsettled(home, mission, unknown, 0), 'invoice_not_open');
    await invoiced(home, mission);
    await cancelInvoice(home, mission, actor);
    const { tx, log } = await paid();
    assert.equal(await unsettled(home, mission, tx, log), 'invoice_not_open');
    await rejectsRefusal(settling(home, '00000000-0000-4000-8000-000000000001', tx, log), 'not_found');
  });

  homes.it('compares the end of an invoice with the time of the paying block, whatever the clock says', async (home) => {
    const { clock } = homes.get();
    await configureChain(home, chain.settings);
    await bound(home);
    const head = (await chain.node.call('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
    const day_ms = 86_400_000;
    for (const days of [-2, 0]) {
      clock.now = Number(head.timestamp) * 1_000 + days * day_ms;
      const mission = await approved(home, `earn it ${days}`);
      await invoiced(home, mission, { expires_in_days: 1 });
      const { tx, log } = await paid();
      clock.now += 3 * day_ms;
      const { outcome, reason } = await settling(home, mission, tx, log);
      assert.equal(reason ?? outcome, days === 0 ? 'settled' : 'invoice_not_open');
    }
  });
});

/** The calls of one settlement, in order, and its outcome when all confirmed blocks are replaced right after the call. */
const calls = [
  ['eth_chainId', 'not_yet'],
  ['eth_blockNumber', 'not_yet'],
  ['eth_getBlockByNumber', 'node_inconsistent'],
  ['eth_getCode', 'node_inconsistent'],
  ['eth_call', 'node_inconsistent'],
  ['eth_getTransactionReceipt', 'node_inconsistent'],
  ['eth_getBlockByNumber', 'node_inconsistent'],
  ['eth_blockNumber', 'node_inconsistent'],
  ['eth_getBlockByNumber', 'settled'],
] as const;

real('anvil', 'settle with a lying node, and while the chain is reorganised', () => {
  let chain: TokenChain;
  let paid: { readonly tx: string; readonly log: number };
  let home: Home;
  let mission: string;
  let liar: LyingNode;

  before(async () => void (chain = await tokenChain()));
  after(() => chain.stop());
  beforeEach(async () => {
    await chain.mine(5);
    liar = await lyingNode(chain.node.url);
    home = homes.get().open();
    mission = await awaiting(home, { ...chain.settings, rpc_url: liar.url });
    paid = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(2);
    await liar.stop();
    liar = await again(liar);
  });
  afterEach(async () => {
    home.close();
    await liar.stop();
  });

  /** A proxy at the same address that has counted no call yet. */
  const again = (before: LyingNode): Promise<LyingNode> => lyingNode(chain.node.url, Number(new URL(before.url).port));

  /** Settles, with a reorganisation of `depth` blocks right after the nth call. */
  async function settledWith(depth: number, nth: number): Promise<SettleReport> {
    liar.lie = async (_call, truth) => {
      if (liar.calls.length === nth) await chain.node.call('anvil_reorg', depth, []);
      return truth;
    };
    const report = await settling(home, mission, paid.tx);
    const methods = liar.calls.slice(0, nth).map(({ method }) => method);
    assert.deepEqual(
      methods,
      calls.slice(0, nth).map(([method]) => method),
    );
    return report;
  }

  for (const [i, [method, expected]] of calls.entries()) {
    it(`reports ${expected} when the reorganisation is deeper than the confirmations after call ${i + 1}, ${method}`, async () => {
      const head = home.writer.head;
      const { outcome, reason } = await settledWith(4, i + 1);
      assert.equal(reason ?? outcome, expected);
      liar.lie = null;
      if (outcome !== 'settled') return assert.deepEqual(home.writer.head, head, 'nothing is recorded');
      assert.equal((await verifyReceipt(home, mission)).reason, 'block_not_canonical', 'too late to see, and found afterwards');
    });

    it(`settles a payment that the chain keeps when the reorganisation is shallower than the confirmations after call ${i + 1}, ${method}`, async () => {
      assert.equal((await settledWith(2, i + 1)).outcome, 'settled');
      liar.lie = null;
      await chain.mine(5);
      assert.equal((await verifyReceipt(home, mission)).valid, true);
    });
  }

  for (const [reason, cases] of Object.entries(lies))
    for (const [title, lie] of cases)
      it(`reports ${title} as ${reason}`, async () => {
        liar.lie = lie;
        // Without an index, the only log of the token is judged.
        assert.equal(await unsettled(home, mission, paid.tx, reason === 'wrong_amount' ? undefined : paid.log), reason);
        liar.lie = null;
        assert.equal((await settling(home, mission, paid.tx, paid.log)).outcome, 'settled');
      });

  it('records nothing when the configuration changes during the read, and settles on a retry', async () => {
    const settings = home.config().chain;
    liar.lie = async ({ method, nth }, truth) => {
      if (method === 'eth_getTransactionReceipt' && nth === 1)
        await homes.get().with((second) => configureChain(second, settings, { name: 'other' }));
      return truth;
    };
    await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'conflict');
    assert.equal((await settling(home, mission, paid.tx, paid.log)).outcome, 'settled');
  });

  it('records nothing when the home is paused during the read', async () => {
    liar.lie = async ({ method }, truth) => {
      if (method === 'eth_getTransactionReceipt') await homes.get().with((second) => pause(second, actor));
      return truth;
    };
    await rejectsRefusal(settling(home, mission, paid.tx, paid.log), 'paused');
  });
});
