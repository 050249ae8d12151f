/** The wallet, compared with the signed entries of its stream. */
import { walletName, type Wallet, type WalletEvent } from '../domain/wallet.js';
import { requireSigned } from '../journal/stream.js';
import { walletTable } from '../projection/wallet.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { readOne } from './read.js';

/** Invoices name the bound address as their recipient, so the signature of every entry about it is checked. */
const checkedWallet: CheckedTable<Wallet, WalletEvent> = { ...walletTable, check: requireSigned };

/** Returns the wallet; null before its first challenge. */
export const readWallet = (db: Db): Wallet | null =>
  readOne(db, checkedWallet, walletName, `SELECT ${walletTable.columns.join(', ')} FROM wallet`);
