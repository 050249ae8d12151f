/** Reading the chain: whether it may be read, how its errors are shown, and the balance of the bound address. */
import type { Refusal, RefusalCode } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { ChainError, type Verdict } from '../../chain/answer.js';
import { readConfirmed, tokenBalance } from '../../chain/confirmed.js';
import type { WalletBalance } from '../../codec/api-wallet.js';
import { environmentOf, inTokens } from '../../codec/chain.js';
import type { ChainConfig } from '../../codec/config.js';
import { readWallet } from '../../tables/wallet.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { requireTool } from '../tools/require.js';

/** Returns the configured chain. @throws RefusalError `chain_unconfigured`, or `tool_disabled` while the tool is stopped */
export function requireChain(home: Home): ChainConfig {
  const { chain } = home.config();
  if (chain === null) {
    const detail = 'the configuration names no chain: set "chain" with rpc_url, chain_id and token_code_sha256';
    throw new RefusalError({ code: 'chain_unconfigured', detail, hint: 'agent-cli config show' });
  }
  requireTool(home.db, 'chain_read');
  return chain;
}

const codes: Readonly<Partial<Record<Verdict, RefusalCode>>> = { unreachable: 'chain_unreachable', not_yet: 'not_yet' };

/** Returns the refusal of a reading that ended without a value. @throws any other error */
export function chainRefusal(error: unknown): Refusal {
  if (!(error instanceof ChainError)) throw error;
  const code = codes[error.verdict];
  if (code !== undefined) return { code, detail: error.message };
  return { code: 'verification_failed', detail: error.message, facts: { reason: error.verdict }, hint: 'agent-cli config show' };
}

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
