/** `balance`: the tokens of the bound address at a confirmed block. */
import { readConfirmed, tokenBalance } from '../../chain/confirmed.js';
import { RefusalError } from '../../base/result.js';
import type { WalletBalance } from '../../codec/api-wallet.js';
import { environmentOf, inTokens } from '../../codec/chain.js';
import { readWallet } from '../../rows/wallet.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { chainRefusal, requireChain } from './chain.js';

/** Returns the bound address. @throws RefusalError `wrong_state` before a binding */
export function requireAddress(db: Db): string {
  const address = readWallet(db)?.address ?? null;
  if (address !== null) return address;
  throw new RefusalError({ code: 'wrong_state', detail: 'no wallet is bound to this home', hint: 'agent-cli wallet-challenge' });
}

/** @param signal ends the reading of the chain */
export async function walletBalance(home: Home, signal?: AbortSignal): Promise<WalletBalance> {
  const chain = requireChain(home);
  const address = requireAddress(home.db);
  try {
    const { at, value } = await readConfirmed(chain, (node, block) => tokenBalance(node, address, block), { signal });
    const { number: block_number, hash: block_hash } = at;
    const balance_units = String(value);
    const place = { chain_id: chain.chain_id, environment: environmentOf(chain.chain_id), block_number, block_hash };
    return { address, balance_units, balance: inTokens(balance_units), ...place };
  } catch (error) {
    throw new RefusalError(chainRefusal(error));
  }
}
