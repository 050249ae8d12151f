/** Amounts and addresses that no invoice can have. */
import { owner, payer } from '../chain/wallet.js';

export const badUnits = ['0', '-1', '01', '1.5', '1e3', '', String(2n ** 256n)];
export const badTokens = ['0', '0.0', '-1', '1e3', '.5', '1.0000000000000000001', '9'.repeat(70)];
/** Zero, too short, of a wrong checksum, and the bound address itself (`owner`). */
export const badPayers = [
  `0x${'0'.repeat(40)}`,
  '0x12',
  payer.address.replace('C', 'c'),
  owner.address,
  owner.address.toLowerCase(),
];
