/** Random payments, blocks, reorganisations and settlements on one chain, and what the chain has in the end of what was recorded. */
import type { Home } from '../../src/app/home/home.js';
import { cancelInvoice } from '../../src/app/invoices/issue.js';
import type { Prng } from '../../src/base/prng.js';
import type { ReceiptRecord, SettleReport } from '../../src/codec/api-invoices.js';
import { tokenAddress, transferTopic } from '../../src/codec/chain.js';
import type { RpcLog } from '../../src/codec/rpc.js';
import { newestInvoice } from '../../src/rows/invoices.js';
import { actor } from './given-home.js';
import { approved, invoiced, settling } from './given-invoices.js';
import type { LyingNode } from './lying-node.js';
import type { TokenChain } from './token-chain.js';
import { owner } from './wallet.js';

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
export type Tally = Map<string, number>;
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
export async function interleaved(node: Node, mission: string, tally: Tally): Promise<ReceiptRecord | null> {
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
export async function isOnChain({ node }: TokenChain, receipt: ReceiptRecord): Promise<boolean> {
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
export const openMission = async (home: Home, last: string | null): Promise<string> =>
  last !== null && newestInvoice(home.db, last)?.state !== 'paid' ? last : approved(home);
