/** The wallet as commands and the operator's HTTP API take and return it. */
import type * as t from 'io-ts';
import { address } from './chain.js';
import { nonce } from './events/wallet.js';
import { nullable, object, required, text } from './kit.js';
import { time } from './scalars.js';

export const walletChallengeCodec = object('WalletChallenge', {
  /** The text to sign, without a line feed at its end. */
  message: required(text()),
  nonce: required(nonce),
  /** The address that is expected to sign; null when none was named. */
  address: required(nullable(address)),
  expires_at: required(time),
});
export type WalletChallenge = t.TypeOf<typeof walletChallengeCodec>;

export const boundWalletCodec = object('BoundWallet', { address: required(address), bound_at: required(time) });
export type BoundWallet = t.TypeOf<typeof boundWalletCodec>;
