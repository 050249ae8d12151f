/** Says of an address whose signature was refused that it is a contract wallet, where the chain can be asked. */
import { readAddress } from '../../chain/eth-address.js';
import { chain_explain_ms_max } from '../../base/chain-limits.js';
import { invalid, type Refusal } from '../../base/refusal.js';
import { isRefused, RefusalError } from '../../base/result.js';
import { ChainError } from '../../chain/chain-error.js';
import { readConfirmed } from '../../chain/confirmed.js';
import { readWallet } from '../../rows/wallet.js';
import type { Home } from '../home/home.js';
import { requireChain } from './chain.js';

/** The beginning of an account's code that delegates to a contract (EIP-7702): the account still has its key and signs with it. */
const delegation = 'ef0100';

/**
 * Returns the refusal of a signature, or a more precise one: a contract wallet has no key that could have made it. A chain that cannot be read
 * changes nothing.
 * @param address that the caller named; undefined for the challenge's
 */
export async function explained(home: Home, refusal: Refusal, address: string | undefined): Promise<Refusal> {
  if (refusal.code !== 'invalid' || refusal.errors?.[0]?.path !== 'signature') return refusal;
  const named = address ?? readWallet(home.db)?.challenge.address ?? null;
  const expected = named === null ? null : readAddress('address', named);
  if (expected === null || isRefused(expected)) return refusal;
  const code = await codeOf(home, expected.right);
  if (code === null || code.length === 0 || code.toString('hex').startsWith(delegation)) return refusal;
  return invalid('address', contractWallet(expected.right));
}

const contractWallet = (address: string): string =>
  `${address} is a contract wallet: code on the chain judges its signatures (EIP-1271), and no key proves control of it, so it cannot be bound; ` +
  'bind an account that has a key';

/** Returns the code at an address; null where no chain is configured, or it cannot be read now. */
async function codeOf(home: Home, address: string): Promise<Buffer | null> {
  try {
    const settings = requireChain(home);
    return (await readConfirmed(settings, (node, { hash }) => node.code(address, hash), { ms_max: chain_explain_ms_max })).value;
  } catch (error) {
    if (error instanceof ChainError || error instanceof RefusalError) return null;
    throw error;
  }
}
