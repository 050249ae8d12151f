/** A local chain with the token at its address, and transfers on it. Blocks are mined only when a test says so. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '../../../src/base/bytes.js';
import { tokenAddress } from '../../../src/codec/chain.js';
import type { ChainConfig } from '../../../src/codec/config.js';
import { startAnvil, type Anvil } from './anvil.js';
import { compileContract } from './ascension-contract.js';
import { hang_ms } from '../wait.js';
import { payer } from './wallet.js';

interface Receipt {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly contractAddress: string | null;
  readonly logs: readonly { readonly logIndex: string }[];
}

export interface TokenChain {
  readonly node: Anvil;
  /** A configuration of this chain, with the pin of the token's code. */
  readonly settings: ChainConfig;
  /** Sends a call of the token and returns the transaction's hash; it is in no block yet. */
  readonly send: (
    method: string,
    args: readonly unknown[],
    given?: { readonly from?: string; readonly to?: string },
  ) => Promise<string>;
  /** The same, mined in a block of its own. Returns the hash and the index of the transaction's first log (-1 for none). */
  readonly mined: (method: string, ...args: readonly unknown[]) => Promise<{ readonly tx: string; readonly log: number }>;
  readonly mine: (blocks: number) => Promise<void>;
  readonly receipt: (tx: string) => Promise<Receipt | null>;
  readonly deploy: () => Promise<string>;
  /** Runs `work` and takes back whatever it changed on the chain. */
  readonly undone: <A>(work: () => Promise<A>) => Promise<A>;
  readonly stop: () => Promise<void>;
}

/** A block has room for many transactions with this limit. */
const gas = '0x1e8480';

/** @param options further arguments of anvil, as in `--chain-id 1` */
export async function tokenChain(chainId = 31_337, ...options: readonly string[]): Promise<TokenChain> {
  const token = compileContract('Token');
  const node = await startAnvil('--slots-in-an-epoch', '2', '--no-mining', '--chain-id', String(chainId), ...options);
  const mine = async (blocks: number): Promise<void> => void (await node.call('anvil_mine', `0x${blocks.toString(16)}`));
  const receipt = async (tx: string): Promise<Receipt | null> =>
    (await node.call('eth_getTransactionReceipt', tx)) as Receipt | null;
  const send: TokenChain['send'] = async (method, args, { from = payer.address, to = tokenAddress } = {}) =>
    String(await node.call('eth_sendTransaction', { from, to, data: token.abi.encodeFunctionData(method, args), gas }));
  const inBlock = async (tx: string): Promise<Receipt> => {
    await mine(1);
    for (const end = performance.now() + hang_ms; performance.now() < end; await sleep(10)) {
      const found = await receipt(tx);
      if (found !== null) return found;
    }
    throw new Error(`transaction ${tx} is in no block`);
  };
  const deploy = async (): Promise<string> => {
    const tx = String(await node.call('eth_sendTransaction', { from: payer.address, data: token.bytecode, gas }));
    return String((await inBlock(tx)).contractAddress);
  };
  const mined: TokenChain['mined'] = async (method, ...args) => {
    const tx = await send(method, args);
    const [first] = (await inBlock(tx)).logs;
    return { tx, log: first === undefined ? -1 : Number(first.logIndex) };
  };
  const undone: TokenChain['undone'] = async (work) => {
    const snapshot = await node.call('evm_snapshot');
    try {
      return await work();
    } finally {
      await node.call('evm_revert', snapshot);
    }
  };
  const code = String(await node.call('eth_getCode', await deploy(), 'latest'));
  await node.call('anvil_setCode', tokenAddress, code);
  await mined('mint', payer.address, 10n ** 30n);
  const settings = {
    rpc_url: node.url,
    chain_id: chainId,
    token_code_sha256: sha256Hex(Buffer.from(code.slice(2), 'hex')),
    confirmations: 3,
    reinvest_bps: 0,
  };
  return { node, settings, send, mined, mine, receipt, deploy, undone, stop: node.stop };
}
