import { AgentCommand } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import type { WalletBalance } from '../src/codec/api-wallet.js';
import { tokensText } from '../src/codec/chain.js';

export default class Balance extends AgentCommand<WalletBalance> {
  static override description = `Print the token balance of the bound wallet, read from the configured node at a confirmed block.
The node's chain id, and the token's code and decimals, are checked first. Nothing is sent to the chain.`;
  static override examples = ['<%= config.bin %> balance', '<%= config.bin %> balance --json'];

  protected async act(): Promise<WalletBalance> {
    const { walletBalance } = await import('../src/app/wallet/bind.js');
    return this.withHome(walletBalance);
  }

  protected present({ address, balance_units, chain_id, environment, block_number }: WalletBalance): readonly string[] {
    return pairs([
      ['address', address],
      ['balance', `${tokensText(balance_units)} (${balance_units} base units)`],
      ['chain', `${chain_id} (${environment === 'mainnet' ? 'mainnet' : 'a test chain'})`],
      ['block', String(block_number)],
    ]);
  }
}
