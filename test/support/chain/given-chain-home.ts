/** A home whose configuration names a chain, and to which a wallet is bound. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Wallet } from 'ethers';
import { configure, type ConfigureReport, pause, resume } from '../../../src/app/control/control.js';
import type { Home } from '../../../src/app/home/home.js';
import { bindWallet, issueChallenge } from '../../../src/app/wallet/bind.js';
import type { ChainConfig } from '../../../src/codec/config.js';
import { actor } from '../app/given-home.js';
import { owner } from './wallet.js';

/** A chain that nobody serves. */
export const silentChain: ChainConfig = {
  rpc_url: 'http://127.0.0.1:1',
  chain_id: 31_337,
  token_code_sha256: 'ab'.repeat(32),
  confirmations: 3,
  reinvest_bps: 0,
};

/** Replaces the configuration by one with this chain and other members at their defaults or as given. */
export async function configureChain(home: Home, chain: ChainConfig | null, others: object = {}): Promise<ConfigureReport> {
  const file = join(home.paths.directory, '..', 'chain-config.json');
  writeFileSync(file, JSON.stringify({ ...others, chain }));
  await pause(home, actor);
  const report = await configure(home, file, actor);
  await resume(home, actor);
  return report;
}

export async function bound(home: Home, wallet: Wallet = owner): Promise<void> {
  const { message } = await issueChallenge(home, wallet.address, actor);
  await bindWallet(home, { signature: await wallet.signMessage(message), actor });
}
