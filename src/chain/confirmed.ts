/**
 * Reads the chain at one confirmed block: chain id, block, the token's code and decimals, whatever the caller reads, and at the end the head and
 * the block again. So all that was read is of one chain, which a reorganisation shallower than the confirmations cannot change.
 */
import { sha256Hex } from '../base/bytes.js';
import { tokenAddress, tokenDecimals } from '../codec/chain.js';
import type { ChainConfig } from '../codec/config.js';
import type { PaymentSeen, RpcBlock } from '../codec/rpc.js';
import { ChainError, ChainNode, NodeRefusal, unreachable } from './node.js';

/** Time for all requests of one reading, from the first to the last byte. */
const chain_ms_max = 15_000;

export type ChainSettings = Omit<ChainConfig, 'reinvest_bps'>;

interface ReadingBounds {
  /** For all calls together. */
  readonly ms_max?: number;
  /** Ends the reading when it aborts, as that of a client that is gone. */
  readonly signal?: AbortSignal | undefined;
}

/** The block to which a reading is bound, and the head of the chain at its start. */
interface ConfirmedBlock extends RpcBlock {
  readonly head: number;
}

export interface ChainReading<A> {
  readonly at: ConfirmedBlock;
  readonly value: A;
}

const selectors = { decimals: '0x313ce567', balanceOf: '0x70a08231' } as const;
const word_bytes = 32;

/**
 * Returns what `read` reads at the newest block that is confirmed (on mainnet also finalized).
 * @throws ChainError
 */
export async function readConfirmed<A>(
  settings: ChainSettings,
  read: (node: ChainNode, at: ConfirmedBlock) => Promise<A>,
  { ms_max = chain_ms_max, signal }: ReadingBounds,
): Promise<ChainReading<A>> {
  const node = new ChainNode(settings.rpc_url, ms_max, signal);
  const chainId = await node.chainId();
  if (chainId !== settings.chain_id)
    throw new ChainError('wrong_chain', `the node serves chain ${chainId}, not chain ${settings.chain_id}`);
  const at = await confirmedBlock(node, settings);
  const value = await onOneChain(node, at, async () => {
    await checkToken(node, settings, at);
    return read(node, at);
  });
  await checkAgain(node, at);
  return { at, value };
}

/** Runs `read`; an error of the node about a block that it has replaced meanwhile is a contradiction, not a failure to answer. */
async function onOneChain<A>(node: ChainNode, at: ConfirmedBlock, read: () => Promise<A>): Promise<A> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    await checkAgain(node, at);
    throw error;
  }
}

async function confirmedBlock(node: ChainNode, { chain_id, confirmations }: ChainSettings): Promise<ConfirmedBlock> {
  const head = await node.blockNumber();
  if (head < confirmations)
    throw new ChainError('not_yet', `the chain has ${head} blocks; ${confirmations} confirmations are required`);
  // Block n has head − n + 1 confirmations.
  const confirmed = head - confirmations + 1;
  const number = chain_id === 1 ? Math.min(confirmed, await finalized(node)) : confirmed;
  const block = await node.block(number);
  if (block === null || block.number !== number) throw inconsistent(`it has no block ${number}, though its head is ${head}`);
  return { ...block, head };
}

async function finalized(node: ChainNode): Promise<number> {
  const block = await node.block('finalized');
  if (block === null) throw unreachable('the node has no finalized block, which mainnet requires');
  return block.number;
}

async function checkToken(node: ChainNode, { token_code_sha256 }: ChainSettings, { hash }: RpcBlock): Promise<void> {
  const code = await node.code(tokenAddress, hash);
  if (code.length === 0) throw new ChainError('wrong_code', "there is no contract at the token's address");
  if (sha256Hex(code) !== token_code_sha256)
    throw new ChainError('wrong_code', "the code at the token's address is not the one that is pinned");
  const decimals = await node.read(tokenAddress, selectors.decimals, hash);
  if (decimals.length !== word_bytes || wordOf(decimals) !== BigInt(tokenDecimals))
    throw new ChainError('wrong_decimals', `the token does not have ${tokenDecimals} decimals`);
}

/** Reads head and block again: a node that went back, or has another block there now, contradicts what it said. */
async function checkAgain(node: ChainNode, { number, hash, head }: ConfirmedBlock): Promise<void> {
  if ((await node.blockNumber()) < head) throw inconsistent('its head went back while it was read');
  if ((await node.block(number))?.hash !== hash) throw inconsistent(`it changed the confirmed block ${number} while it was read`);
}

export const inconsistent = (what: string): ChainError =>
  new ChainError('node_inconsistent', `the node contradicts itself: ${what}`);

const wordOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/** Reads the token balance of an address, in base units. */
export async function tokenBalance(node: ChainNode, address: string, { hash }: RpcBlock): Promise<bigint> {
  const data = `${selectors.balanceOf}${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const word = await node.read(tokenAddress, data, hash);
  if (word.length !== word_bytes) throw inconsistent("its response for a balance does not have the token's form");
  return wordOf(word);
}

/** Reads what a node says of a transaction, at a confirmed block. */
export async function readPayment(node: ChainNode, at: ConfirmedBlock, transaction: string): Promise<PaymentSeen> {
  const receipt = await node.receipt(transaction);
  // The block of the canonical chain with that number; a receipt of another block there was reorganised away.
  const block = receipt === null || receipt.blockNumber > at.number ? null : await node.block(receipt.blockNumber);
  return { at, receipt, block };
}
