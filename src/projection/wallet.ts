/** Projection of the wallet: one row with the bound address and the newest challenge. */
import { address } from '../codec/chain.js';
import { nonce } from '../codec/events/wallet.js';
import { choice, decode, nullable, object, required, text } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { walletName, walletStream, type Wallet, type WalletEvent } from '../domain/wallet.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, valuesOf, type Table } from './table.js';

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

export const walletTable: Table<Wallet, WalletEvent> = {
  stream: walletStream,
  name: 'wallet',
  columns,
  idOf: () => walletName,
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
};

export const walletProjector = rowProjector(walletTable, {
  name: 'wallet',
  version: 1,
  ddl: projectionDdl('wallet.v1.sql'),
  key: 'id',
  keyOf: () => 1,
});
