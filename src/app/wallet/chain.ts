/** Whether the chain may be read, and how its errors are shown. */
import { ChainError, type Verdict } from '../../chain/chain-error.js';
import type { Refusal, RefusalCode } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { ChainConfig } from '../../codec/config.js';
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
