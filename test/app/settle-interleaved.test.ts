/**
 * Random interleavings of payments, blocks, reorganisations and settlements, in one process on one chain. A reorganisation that is shallower
 * than the confirmations never leaves a recorded payment that the chain does not have; what a deeper one takes away, `verify-receipt` finds.
 */
import assert from 'node:assert/strict';
import { verifyReceipt } from '../../src/app/invoices/verify-receipt.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { prng } from '../../src/base/prng.js';
import type { ReceiptRecord } from '../../src/codec/api-invoices.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { bound, configureChain } from '../support/given-chain-home.js';
import { interleaved, isOnChain, openMission, type Tally } from '../support/interleaving.js';
import { lyingNode, type LyingNode } from '../support/lying-node.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';
import { tokenChain, type TokenChain } from '../support/token-chain.js';

const homes = homeForEach();
const rounds = atEffort(20, 1_000);
/** A chain for so many: anvil loses its state after some hundred reorganisations. */
const chain_rounds = Math.min(rounds, 40);
/** One settlement in so many is followed by a reorganisation that takes it away. */
const deep_each = 5;
const seed = fullEffort ? Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32)) : 15;

interface Recorded {
  readonly mission: string;
  readonly receipt: ReceiptRecord;
}

real('anvil', 'settlements between payments and reorganisations', () => {
  let chain: TokenChain;
  let proxy: LyingNode;
  const totals = { kept: 0, lost: 0 };
  beforeEach(async () => {
    chain = await tokenChain();
    proxy = await lyingNode(chain.node.url);
    await chain.mine(5);
  });
  afterEach(async () => {
    await proxy.stop();
    await chain.stop();
  });

  for (let first = 0; first < rounds; first += chain_rounds)
    it(`records no payment that the chain lacks (seed ${seed}, ${first} to ${first + chain_rounds - 1} of ${rounds})`, () =>
      ran(first));

  async function ran(first: number): Promise<void> {
    const tally: Tally = new Map();
    /** Those that the chain must have. */
    let kept: Recorded[] = [];
    const lost: Recorded[] = [];
    await homes.get().with(async (home) => {
      await configureChain(home, { ...chain.settings, rpc_url: proxy.url });
      await bound(home);
      let mission: string | null = null;
      for (let round = first; round < first + chain_rounds; round++) {
        const what = `interleaving ${round} of seed ${seed}`;
        mission = await openMission(home, mission);
        const receipt = await interleaved({ home, chain, proxy, random: prng(seed, round) }, mission, tally);
        if (receipt === null) continue;
        kept.push({ mission, receipt });
        assert.equal(await isOnChain(chain, receipt), true, what);
        if ((kept.length + lost.length) % deep_each !== 0) continue;
        const head = Number(await chain.node.call('eth_blockNumber'));
        const depth = head - receipt.block_number + 1;
        assert.ok(depth >= chain.settings.confirmations, what);
        await chain.node.call('anvil_reorg', depth, []);
        const taken = kept.filter((one) => one.receipt.block_number >= receipt.block_number);
        kept = kept.filter((one) => one.receipt.block_number < receipt.block_number);
        lost.push(...taken);
      }
      for (const { mission: paid, receipt } of kept) {
        assert.equal(await isOnChain(chain, receipt), true, `mission ${paid}, seed ${seed}`);
        assert.equal((await verifyReceipt(home, paid)).valid, true, `mission ${paid}, seed ${seed}`);
      }
      for (const { mission: gone, receipt } of lost) {
        assert.equal(await isOnChain(chain, receipt), false, `mission ${gone}, seed ${seed}`);
        const { valid, reason } = await verifyReceipt(home, gone);
        assert.deepEqual([valid, reason], [false, 'block_not_canonical'], `mission ${gone}, seed ${seed}`);
      }
      const transfers = [...kept, ...lost].map(({ receipt }) => `${receipt.transaction_hash}:${receipt.log_index}`);
      assert.equal(new Set(transfers).size, transfers.length, 'each transfer paid one invoice');
    });
    console.log(`      ${[...tally].map(([word, times]) => `${word} ${times}`).join(', ')}; ${lost.length} removed by deep ones`);
    for (const word of ['pay', 'mine', 'reorganise', 'settled', 'not_yet', 'log_missing'])
      assert.ok((tally.get(word) ?? 0) > 0, word);
    await homes.get().with(async (home) => assert.equal((await verifyHome(home, { deep: true })).valid, true));
    totals.kept += kept.length;
    totals.lost += lost.length;
  }

  it('settles some payments, and loses some to deep reorganisations', () => {
    assert.ok(totals.kept > rounds / 10 && totals.lost > rounds / 50, JSON.stringify(totals));
  });
});
