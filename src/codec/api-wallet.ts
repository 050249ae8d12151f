/** The wallet as commands and the operator's HTTP API take and return it. */
import type * as t from 'io-ts';
import { address, environment, hash32 } from './chain.js';
import { nonce } from './events/wallet.js';
import { nullable, object, optional, required, text } from './kit.js';
import { count, time } from './scalars.js';

export const walletChallengeCodec = object('WalletChallenge', {
  /** The text to sign, without a line feed at its end. */
  message: required(text()),
  nonce: required(nonce),
  /** The address that is expected to sign; null when none was named. */
  address: required(nullable(address)),
  expires_at: required(time),
});
export type WalletChallenge = t.TypeOf<typeof walletChallengeCodec>;

/** Without an address the signer is known only from the signature. */
export const challengeBody = object('WalletChallengeBody', { address: optional(text({ max: 100 })) });

export const bindBody = object('WalletBindBody', {
  /** 65 bytes in hexadecimal. */
  signature: required(text({ max: 1_000 })),
  /** The address that must have signed. */
  address: optional(text({ max: 100 })),
});

/** Both are null before a binding. */
export const walletCodec = object('Wallet', { address: required(nullable(address)), bound_at: required(nullable(time)) });
export type WalletRecord = t.TypeOf<typeof walletCodec>;

export const boundWalletCodec = object('BoundWallet', { address: required(address), bound_at: required(time) });
export type BoundWallet = t.TypeOf<typeof boundWalletCodec>;

export const walletBalanceCodec = object('WalletBalance', {
  address: required(address),
  /** In base units; 0 is possible. */
  balance_units: required(text({ pattern: /^(?:0|[1-9][0-9]{0,77})$/ })),
  /** The same in tokens. */
  balance: required(text()),
  chain_id: required(count),
  environment: required(environment),
  /** The confirmed block at which the balance was read. */
  block_number: required(count),
  block_hash: required(hash32),
});
export type WalletBalance = t.TypeOf<typeof walletBalanceCodec>;
