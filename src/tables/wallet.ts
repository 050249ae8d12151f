/** The wallet, compared with the signed entries of its stream. */
import { address } from '../codec/chain.js';
import { nonce } from '../codec/events/wallet.js';
import { choice, decode, nullable, object, required, text } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { type Wallet, walletName, walletStream } from '../domain/wallet.js';
import { decoded, defineTable, named, valuesOf } from '../state/table.js';
import type { Db } from '../store/database.js';
import { readOne } from './read.js';

/** One row: the bound address, and the newest challenge. `challenge_used` is 1 once an address was bound by it. */
const ddl = `CREATE TABLE wallet(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  address TEXT,
  bound_at TEXT,
  message TEXT NOT NULL,
  nonce TEXT NOT NULL,
  challenge_address TEXT,
  issued_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  challenge_used INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
`;

const rowCodec = object('WalletRow', {
  id: required(choice(1)),
  address: required(nullable(address)),
  bound_at: required(nullable(time)),
  message: required(text()),
  nonce: required(nonce),
  challenge_address: required(nullable(address)),
  issued_at: required(time),
  expires_at: required(time),
  challenge_used: required(choice(0, 1)),
  revision: required(sequence),
});
const columns = Object.keys(rowCodec.fields);

export const walletTable = defineTable<Wallet>({
  stream: walletStream,
  name: 'wallet',
  projection: 'wallet',
  ddl,
  version: 1,
  columns,
  key: null,
  rowsOf: ({ challenge: { address: challenge_address, used, ...challenge }, ...wallet }) => [
    valuesOf(columns, { id: 1, ...wallet, ...challenge, challenge_address, challenge_used: used ? 1 : 0 }),
  ],
  stateOf([row]) {
    if (row === undefined) return null;
    const { address: bound, bound_at, revision, ...rest } = decoded('wallet', decode(rowCodec, named(columns, row)));
    const { message, nonce: text32, challenge_address, issued_at, expires_at, challenge_used } = rest;
    const used = challenge_used === 1;
    const challenge = { message, nonce: text32, address: challenge_address, issued_at, expires_at, used };
    return { address: bound, bound_at, challenge, revision };
  },
});

/** Returns the wallet; null before its first challenge. */
export const readWallet = (db: Db): Wallet | null => readOne(db, walletTable, walletName);
