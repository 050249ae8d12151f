/** A home in the reference agent's schema with an open and a paid invoice, restored: neither is settled here, and what it consumed stays consumed. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { restoreHome } from '../../src/app/backup/restore.js';
import { resume } from '../../src/app/control/control.js';
import { exportText } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { openHome } from '../../src/app/home/open.js';
import { cancelInvoice } from '../../src/app/invoices/issue.js';
import { verifyReceipt } from '../../src/app/invoices/verify-receipt.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { prng, type Prng } from '../../src/base/prng.js';
import type { ReceiptRecord, SettleReport } from '../../src/codec/api-invoices.js';
import { tokenAddress, transferTopic } from '../../src/codec/chain.js';
import type { RpcLog } from '../../src/codec/rpc.js';
import { readRow } from '../../src/journal/reader.js';
import { newestInvoice } from '../../src/tables/invoices.js';
import { allocation, schedule } from '../engines/reference-cases.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { bound, configureChain } from '../support/chain/given-chain-home.js';
import { verdictOf } from '../support/app/given-export.js';
import { actor } from '../support/app/given-home.js';
import { approved, invoiced, settling, unsettled } from '../support/app/given-invoices.js';
import { type Document, type GivenMission, rowsOf, states, writeReferenceArchive } from '../support/app/given-reference.js';
import { type LyingNode, lyingNode } from '../support/chain/lying-node.js';
import { real } from '../support/real.js';
import { loadCore } from '../support/app/script-core.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';
import { type TokenChain, tokenChain } from '../support/chain/token-chain.js';
import { owner, payer } from '../support/chain/wallet.js';

/** Random payments, blocks, reorganisations and settlements on one chain, and what the chain has in the end of what was recorded. */

/** Exact payments alone can be settled; one that is a unit short never is. */
const amounts = [1_000n, 1_000n, 1_000n, 999n] as const;
const steps_max = 14;

interface Node {
  readonly home: Home;
  readonly chain: TokenChain;
  /** The node that the home asks. */
  readonly proxy: LyingNode;
  readonly random: Prng;
}

/** What happened, by the word for it: an operation, or an outcome or reason of `settle`. */
type Tally = Map<string, number>;
const counted = (tally: Tally, word: string): void => void tally.set(word, (tally.get(word) ?? 0) + 1);

/** The operations of one interleaving: each changes the chain, and none looks at the home. */
function operations({ chain, random }: Node, sent: string[], tally: Tally): () => Promise<void> {
  const { confirmations } = chain.settings;
  const pay = async (): Promise<void> => {
    const amount = amounts[random.below(amounts.length)] ?? 0n;
    sent.push(await chain.send('transfer', [owner.address, amount]));
  };
  const mine = (): Promise<void> => chain.mine(1 + random.below(2));
  // Every block that is replaced has fewer confirmations than are required, before as after.
  const reorganise = async (): Promise<void> =>
    void (await chain.node.call('anvil_reorg', 1 + random.below(confirmations - 1), []));
  const all = { pay, mine, reorganise };
  const weighted = ['pay', 'mine', 'mine', 'mine', 'reorganise'] as const;
  return async () => {
    const chosen = weighted[random.below(weighted.length)] ?? 'mine';
    counted(tally, chosen);
    await all[chosen]();
  };
}

/**
 * Runs one interleaving for an invoice of its own; returns the receipt of what was recorded, null for nothing. Operations also happen between
 * two calls of one settlement.
 */
async function interleaved(node: Node, mission: string, tally: Tally): Promise<ReceiptRecord | null> {
  const { home, proxy, random } = node;
  await invoiced(home, mission);
  const sent: string[] = [];
  const operate = operations(node, sent, tally);
  const settle = async (): Promise<SettleReport> => {
    const transaction = sent[random.below(sent.length)] ?? '';
    proxy.lie = async (_call, truth) => {
      // The operation comes after the response was made and before the next call.
      if (random.below(6) === 0) await operate();
      return truth;
    };
    const log_index = random.below(2) === 0 ? undefined : random.below(2);
    const report = await settling(home, mission, transaction, log_index).finally(() => void (proxy.lie = null));
    counted(tally, report.reason ?? report.outcome);
    return report;
  };
  for (let step = 0; step < steps_max; step++) {
    if (sent.length === 0 || random.below(3) > 0) await operate();
    else {
      const { receipt } = await settle();
      if (receipt !== null) return receipt;
    }
  }
  await cancelInvoice(home, mission, actor);
  return null;
}

/** Whether the chain has the transfer that a receipt names, by the node's own answers. */
async function isOnChain({ node }: TokenChain, receipt: ReceiptRecord): Promise<boolean> {
  const found = (await node.call('eth_getTransactionReceipt', receipt.transaction_hash)) as {
    readonly status: string;
    readonly blockHash: string;
    readonly logs: readonly (Omit<RpcLog, 'logIndex'> & { readonly logIndex: string })[];
  } | null;
  const block = (await node.call('eth_getBlockByNumber', `0x${receipt.block_number.toString(16)}`, false)) as {
    readonly hash: string;
  } | null;
  if (found === null || block?.hash !== receipt.block_hash || found.blockHash !== receipt.block_hash) return false;
  const log = found.logs.find(({ logIndex }) => Number(logIndex) === receipt.log_index);
  if (found.status !== '0x1' || log === undefined) return false;
  const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const { address, topics, data } = log;
  const expected = [tokenAddress.toLowerCase(), transferTopic, word(receipt.payer), word(receipt.recipient)];
  return [address.toLowerCase(), ...topics].join() === expected.join() && BigInt(data) === BigInt(receipt.amount_units);
}

/** Returns a mission that can be invoiced: the last one while it was not paid, else another. */
const openMission = async (home: Home, last: string | null): Promise<string> =>
  last !== null && newestInvoice(home.db, last)?.state !== 'paid' ? last : approved(home);

const homes = homeForEach();
const mission = (n: number, given: { readonly work: unknown; readonly result: unknown }): GivenMission => ({
  id: uuidOf(n),
  work: canonicalJson(given.work),
  result: canonicalJson(given.result),
});
const [open, paid] = [mission(1, allocation), mission(2, schedule)];

/** One form that its invoices may have: nothing here depends on it. */
const invoiceOf = (id: string, state: string, transfer: object): Document => [
  `@invoice:${id}`,
  canonicalJson({
    amount_units: '1000',
    chain_id: 31_337,
    mission: id,
    payer: payer.address,
    recipient: owner.address,
    state,
    token: tokenAddress,
    ...transfer,
  }),
];

real('anvil', "invoices of the reference agent's home", () => {
  let chain: TokenChain;
  let consumed: { readonly tx: string; readonly log: number };
  let home: Home;
  before(async () => {
    chain = await tokenChain();
    await chain.mine(5);
    consumed = await chain.mined('transferTwice', owner.address, 1_000n);
    await chain.mine(5);
  });
  after(() => chain.stop());

  beforeEach(async () => {
    const source = homes.get();
    const transfer = { log_index: consumed.log, transaction_hash: consumed.tx.toUpperCase().replace('X', 'x') };
    const rows = rowsOf(source, [
      ...states(open, 'queued', 'running', 'review', 'completed'),
      ...states(paid, 'queued', 'running', 'review', 'completed'),
      ['@wallet', canonicalJson({ address: owner.address })],
      invoiceOf(open.id, 'open', {}),
      invoiceOf(paid.id, 'paid', transfer),
    ]);
    const folder = join(source.root, 'given');
    mkdirSync(folder);
    const [key, token, config] = ['identity.key', 'api.token', 'config.json'].map((name) =>
      readFileSync(join(source.directory, name)),
    ) as [Buffer, Buffer, Buffer];
    const archive = await writeReferenceArchive(folder, { key, token, config }, rows);
    const directory = join(source.root, 'restored');
    const world = {
      ...source.world,
      directory,
      env: { ...source.world.env, AGENT_WITNESS: join(source.root, 'restored-witness') },
    };
    await restoreHome(world, archive, { reason: 'from the reference agent', actor });
    home = openHome(world);
    await resume(home, actor);
    await configureChain(home, chain.settings);
  });
  afterEach(() => home.close());

  it('are kept unchanged, and settled neither when open nor when paid: invoice_not_open', async () => {
    assert.match(readRow(home.db, 11)?.mission ?? '', /^@invoice:/);
    const { tx } = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(3);
    for (const { id } of [open, paid])
      for (const one of [tx, consumed.tx]) assert.equal(await unsettled(home, id, one), 'invoice_not_open');
    assert.match((await settling(home, open.id, tx)).detail, /one of the reference agent is kept and never settled$/);
    assert.equal((await verifyHome(home, { deep: true })).valid, true);
  });

  it('leave their results to be invoiced here, and the payment is in the export of what the reference agent approved', async () => {
    await bound(home);
    await invoiced(home, open.id);
    const { tx, log } = await chain.mined('transfer', owner.address, 1_000n);
    await chain.mine(3);
    assert.equal((await settling(home, open.id, tx, log)).outcome, 'settled');
    assert.equal((await verifyReceipt(home, open.id)).valid, true);
    const { text } = exportText(home, open.id);
    const key = home.signer.publicKey.toString('hex');
    const verdict = await verdictOf(homes.get().root, text, key);
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.settlement?.transaction_hash], [true, tx]);
    assert.equal((await (await loadCore()).verifyExport(Buffer.from(text), key)).verdict, 'valid');
  });

  it('keep consumed what they consumed, for an invoice that is issued here too', async () => {
    await bound(home);
    await invoiced(home, open.id);
    for (const log of [undefined, consumed.log, consumed.log + 1])
      assert.equal(await unsettled(home, open.id, consumed.tx, log), 'transfer_already_used');
  });
});

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
