/** The wallet, compared with the signed entries of its stream. */
import { address } from '../codec/chain.js';
import { nonce } from '../codec/events/wallet.js';
import { choice, flag, nullable, object, required, text } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { type Wallet, walletName, walletStream } from '../domain/wallet.js';
import { rowForm } from '../state/rows.js';
import { defineTable } from '../state/table.js';
import type { Db } from '../store/database.js';
import { readOne } from './read.js';

/** One row: the bound address, and the newest challenge. `challenge_used` is 1 once an address was bound by it. */
const { write, read, ...form } = rowForm(
  'wallet',
  object('WalletRow', {
    id: required(choice(1)),
    address: required(nullable(address)),
    bound_at: required(nullable(time)),
    message: required(text()),
    nonce: required(nonce),
    challenge_address: required(nullable(address)),
    issued_at: required(time),
    expires_at: required(time),
    challenge_used: required(flag),
    revision: required(sequence),
  }),
);

export const walletTable = defineTable<Wallet>({
  stream: walletStream,
  name: 'wallet',
  projection: 'wallet',
  version: 1,
  ...form,
  key: null,
  rowsOf: ({ challenge: { address: challenge_address, used, ...challenge }, ...wallet }) => [
    write({ id: 1, ...wallet, ...challenge, challenge_address, challenge_used: used }),
  ],
  stateOf([row]) {
    if (row === undefined) return null;
    const { address: bound, bound_at, revision, id: _, ...rest } = read(row);
    const { challenge_address, challenge_used: used, ...challenge } = rest;
    return { address: bound, bound_at, challenge: { ...challenge, address: challenge_address, used }, revision };
  },
});

/** Returns the wallet; null before its first challenge. */
export const readWallet = (db: Db): Wallet | null => readOne(db, walletTable, walletName);
