/** The wallet, compared with the signed entries of its stream. */
import { type Wallet, walletCodec, walletName, walletStream } from '../domain/wallet.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readOne } from './read.js';

export const walletTable = defineRowTable<Wallet>({
  stream: walletStream,
  name: 'wallet',
  projection: 'wallet',
  version: 2,
  row: walletCodec,
  key: null,
});

/** Returns the wallet; null before its first challenge. */
export const readWallet = (db: Db): Wallet | null => readOne(db, walletTable, walletName);
