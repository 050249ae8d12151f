/** Settlements of a chain that is reorganised between any two of their calls: refused for their reason, not yet, or what the chain then has. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { verifyReceipt } from '../../src/app/invoices/verify-receipt.js';
import type { SettleReport } from '../../src/codec/api-invoices.js';
import { awaiting, settling } from '../support/given-invoices.js';
import { lyingNode, type LyingNode } from '../support/lying-node.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';
import { owner } from '../support/wallet.js';

const homes = homeForEach();

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

real('anvil', 'settle while the chain is reorganised', () => {
  let chain: TokenChain;
  let proxy: LyingNode;
  let home: Home;
  let mission: string;
  let tx: string;
  beforeEach(async () => {
    chain = await tokenChain();
    await chain.mine(5);
    proxy = await lyingNode(chain.node.url);
    home = homes.get().open();
    mission = await awaiting(home, { ...chain.settings, rpc_url: proxy.url });
    ({ tx } = await chain.mined('transfer', owner.address, 1_000n));
    await chain.mine(2);
  });
  afterEach(async () => {
    home.close();
    await proxy.stop();
    await chain.stop();
  });

  /** Settles, with a reorganisation of `depth` blocks right after the nth call. */
  async function settledWith(depth: number, nth: number): Promise<SettleReport> {
    const before = proxy.calls.length;
    proxy.lie = async (_call, truth) => {
      if (proxy.calls.length - before === nth) await chain.node.call('anvil_reorg', depth, []);
      return truth;
    };
    const report = await settling(home, mission, tx);
    const methods = proxy.calls.slice(before, before + nth).map(({ method }) => method);
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
      proxy.lie = null;
      if (outcome !== 'settled') return assert.deepEqual(home.writer.head, head, 'nothing is recorded');
      assert.equal((await verifyReceipt(home, mission)).reason, 'block_not_canonical', 'too late to see, and found afterwards');
    });

    it(`settles a payment that the chain keeps when the reorganisation is shallower than the confirmations after call ${i + 1}, ${method}`, async () => {
      assert.equal((await settledWith(2, i + 1)).outcome, 'settled');
      proxy.lie = null;
      await chain.mine(5);
      assert.equal((await verifyReceipt(home, mission)).valid, true);
    });
  }
});
