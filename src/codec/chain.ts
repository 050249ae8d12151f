/** The scalars of an EVM chain, the token, and what a payment is refused for. Amounts are decimal texts of base units, never numbers. */
import * as E from 'fp-ts/lib/Either.js';
import { invalid, ok } from '../base/refusal.js';
import { choice, text, refined } from './kit.js';

/** The address of the token on every chain. */
export const tokenAddress = '0xA61a3B3a130a9c20768EEBF97E21515A6046a1fA';
export const tokenDecimals = 18;
/** The topic of `Transfer(address,address,uint256)` (ERC-20). */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** An address in its checksummed form (EIP-55). The checksum is verified where an address is read, so that this codec needs no hash function. */
export const address = text({ pattern: /^0x[0-9a-fA-F]{40}$/ });
/** Whether two addresses are the same one, whatever their case. */
export const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
/** 32 bytes in lower-case hexadecimal: the hash of a block or a transaction. */
export const hash32 = text({ pattern: /^0x[0-9a-f]{64}$/ });

const amount_max = 2n ** 256n - 1n;
/** A positive amount in base units that fits a uint256, as a text without leading zeros. */
export const amountUnits = refined(text({ pattern: /^[1-9][0-9]{0,77}$/ }), (units) =>
  BigInt(units) <= amount_max ? ok(units) : E.left(invalid('', 'must be at most 2^256 − 1')),
);

/** Returns an amount of base units in tokens, exactly: `1500000000000000000` gives `1.5`. */
export function inTokens(units: string): string {
  const padded = units.padStart(tokenDecimals + 1, '0');
  const fraction = padded.slice(-tokenDecimals).replace(/0+$/, '');
  return padded.slice(0, -tokenDecimals) + (fraction === '' ? '' : `.${fraction}`);
}

/** Returns the same as people read it. */
export const tokensText = (units: string): string => `${inTokens(units)} ${inTokens(units) === '1' ? 'token' : 'tokens'}`;

/** What a chain's tokens are: only chain 1 has real ones. */
export const environments = ['mainnet', 'test_chain'] as const;
export type Environment = (typeof environments)[number];
export const environment = choice(...environments);
export const environmentOf = (chainId: number): Environment => (chainId === 1 ? 'mainnet' : 'test_chain');

/** Why a payment is refused. */
export const settlementReasons = [
  'wrong_chain',
  'wrong_code',
  'wrong_decimals',
  'chain_settings_changed',
  'invoice_not_open',
  'transaction_failed',
  'predates_invoice',
  'log_missing',
  'log_removed',
  'wrong_token',
  'wrong_sender',
  'wrong_recipient',
  'wrong_amount',
  'transfer_already_used',
  'block_not_canonical',
  'node_inconsistent',
] as const;
export const settlementReason = choice(...settlementReasons);
export type SettlementReason = (typeof settlementReasons)[number];

/** An amount in base units that may be 0. */
export const unitsOrZero = text({ pattern: /^(?:0|[1-9][0-9]{0,77})$/ });

/** Returns a typed amount of tokens in base units; null for a text that is none. The result may be out of bounds (`amountUnits`). */
export function unitsOfTokens(tokens: string): string | null {
  const found = /^([0-9]{1,80})(?:\.([0-9]{1,18}))?$/.exec(tokens);
  if (found === null) return null;
  const [, whole = '', fraction = ''] = found;
  return String(BigInt(whole + fraction.padEnd(tokenDecimals, '0')));
}

/** Returns the part of an amount that a receipt earmarks, rounded down. @param bps basis points, 0 to 10 000 */
export const earmarkOf = (units: string, bps: number): string => String((BigInt(units) * BigInt(bps)) / 10_000n);

/** Returns the request for a token transfer that wallets read (EIP-681). */
export const paymentUri = (chainId: number, recipient: string, units: string): string =>
  `ethereum:${tokenAddress}@${chainId}/transfer?address=${recipient}&uint256=${units}`;
