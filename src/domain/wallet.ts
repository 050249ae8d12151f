/** The wallet of the home: one address, bound by a signature of a challenge. The program never has the wallet's private key. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { invalid, ok, type Refusal, type Result } from '../base/refusal.js';
import type { Documents } from '../codec/event.js';
import { challenge } from '../codec/events/wallet.js';
import { address, sameAddress } from '../codec/chain.js';
import { flag, nullable, object, required } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { singleStream, type EventContext, type EventIn } from './stream.js';

const challengeCodec = object('WalletChallengeState', {
  ...challenge,
  /** Whether an address was bound by it. */
  used: required(flag),
});
export type Challenge = t.TypeOf<typeof challengeCodec>;

export const walletCodec = object('WalletRow', {
  /** The bound address with its checksum; null before a binding. */
  address: required(nullable(address)),
  bound_at: required(nullable(time)),
  /** The newest challenge. */
  challenge: required(challengeCodec),
  /** Sequence of its newest event. */
  revision: required(sequence),
});
export type Wallet = t.TypeOf<typeof walletCodec>;

export type WalletEvent = EventIn<'wallet.'>;

export const walletName = '@wallet';

export const walletStream = singleStream<Wallet, 'wallet.'>(walletName, {
  noun: 'wallet',
  events: ['wallet.'],
  evolve: evolveWallet,
});

function evolveWallet(
  wallet: Wallet | null,
  { type, document }: WalletEvent,
  { sequence: revision, time }: EventContext,
): Wallet | null {
  switch (type) {
    case 'wallet.challenged': {
      const { actor: _1, via: _2, ...challenge } = document;
      const { address, bound_at } = wallet ?? { address: null, bound_at: null };
      return { address, bound_at, challenge: { ...challenge, used: false }, revision };
    }
    case 'wallet.bound':
      return wallet === null
        ? null
        : { address: document.address, bound_at: time, challenge: { ...wallet.challenge, used: true }, revision };
  }
}

type Events = Result<readonly WalletEvent[]>;

const challengeHint = 'agent-cli wallet-challenge';
const wrongState = (detail: string): Refusal => ({ code: 'wrong_state', detail, hint: challengeHint });

/** Decides to issue a challenge, which supersedes the one before. A bound address can be proven again; no other one can take its place. */
export function decideChallenge(wallet: Wallet | null, document: Documents['wallet.challenged']): Events {
  const bound = wallet?.address ?? null;
  if (bound !== null && document.address !== null && !sameAddress(bound, document.address)) return E.left(otherAddress(bound));
  return ok([{ type: 'wallet.challenged', document }]);
}

/** Returns the challenge that can be answered at a time. */
export function openChallenge(wallet: Wallet | null, now: string): Result<Challenge> {
  if (wallet === null) return E.left(wrongState('there is no challenge to answer'));
  const { challenge, address, bound_at } = wallet;
  if (challenge.used) return E.left(wrongState(`the challenge was used already: ${address} has been bound since ${bound_at}`));
  // A clock that was set back makes a challenge older than its time says.
  if (now > challenge.expires_at || now < challenge.issued_at)
    return E.left(wrongState(`the challenge expired at ${challenge.expires_at}`));
  return ok(challenge);
}

export interface Binding {
  readonly now: string;
  /** The address that the signature of the newest challenge gives. */
  readonly recovered: string;
  /** The address that the caller named; null for none. */
  readonly expected: string | null;
  readonly signature: string;
  readonly actor: string;
}

/**
 * Decides to bind the recovered address. A refusal leaves the challenge usable. Recovery never fails, so an address that nobody
 * expects proves nothing: it is refused until the caller names it.
 */
export function decideBind(wallet: Wallet | null, { now, recovered, expected, signature, actor }: Binding): Events {
  const open = openChallenge(wallet, now);
  if (E.isLeft(open)) return open;
  const { nonce, address } = open.right;
  if (expected !== null && address !== null && !sameAddress(expected, address))
    return E.left(invalid('address', `the challenge is for ${address}`));
  const wanted = expected ?? address;
  if (wanted === null) return E.left(unconfirmed(recovered, signature));
  if (!sameAddress(wanted, recovered)) return E.left(notBy(wanted));
  const bound = wallet?.address ?? null;
  if (bound !== null && !sameAddress(bound, recovered)) return E.left(otherAddress(bound));
  return ok([{ type: 'wallet.bound', document: { address: recovered, nonce, signature, actor } }]);
}

const notBy = (wanted: string): Refusal =>
  invalid(
    'signature',
    `is not a signature of the newest challenge by ${wanted}: it was made with another key, or it signs another text`,
  );

const unconfirmed = (recovered: string, signature: string): Refusal => ({
  ...invalid(
    'address',
    `the signature gives ${recovered}; if that is your address, confirm it. A signature of a different message would give a different address`,
  ),
  facts: { address: recovered },
  hint: `agent-cli wallet-bind ${signature} --address ${recovered}`,
});

const otherAddress = (bound: string): Refusal => ({
  code: 'wrong_state',
  detail: `this home is bound to ${bound}; another address needs another home`,
  facts: { address: bound },
  hint: 'agent-cli init --home NEW_DIR',
});
