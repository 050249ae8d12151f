import { Flags } from '@oclif/core';
import type { WalletChallenge } from '../src/codec/api-wallet.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';

export default class WalletChallengeCommand extends AgentCommand<WalletChallenge> {
  static override description =
    `Print a message to sign with your wallet (personal_sign, EIP-191), which proves that you control its address.
It is valid for ten minutes, for one use; a new one replaces it. The wallet's private key is never needed.`;
  static override examples = [
    '<%= config.bin %> wallet-challenge',
    '<%= config.bin %> wallet-challenge --address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ];
  static override flags = {
    address: Flags.string({ description: 'the address that will sign', helpValue: '0x…' }),
    as: actorFlag,
  };

  protected async act({ flags }: ParsedInput<typeof WalletChallengeCommand>): Promise<WalletChallenge> {
    const { issueChallenge } = await import('../src/app/wallet/bind.js');
    return this.withHome((home) => issueChallenge(home, flags.address, flags.as));
  }

  protected present({ message, address, expires_at }: WalletChallenge): readonly string[] {
    return [
      ...message.split('\n'),
      '',
      `Sign exactly these lines, without a line feed at the end, before ${expires_at}.`,
      `next: agent-cli wallet-bind SIGNATURE${address === null ? ' --address YOUR_ADDRESS' : ''}`,
    ];
  }
}
