import { Args, Flags } from '@oclif/core';
import type { BindOptions } from '../src/app/wallet/bind.js';
import { RefusalError } from '../src/base/refusal.js';
import { confirm } from '../src/cli/ask.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import type { BoundWallet } from '../src/codec/api-wallet.js';

export default class WalletBind extends AgentCommand<BoundWallet> {
  static override description = `Bind the address that signed the newest challenge; invoices name it as their recipient.
The address is compared with --address, else with the one in the challenge. Without either, a terminal shows the recovered address and asks.
A home is bound to one address permanently.`;
  static override examples = ['<%= config.bin %> wallet-bind 0x5f…1b --address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'];
  static override args = {
    signature: Args.string({ description: 'the signature of the challenge: 0x and 65 bytes in hexadecimal', required: true }),
  };
  static override flags = {
    address: Flags.string({ description: 'the address that must have signed', helpValue: '0x…' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof WalletBind>): Promise<BoundWallet> {
    const { bindWallet } = await import('../src/app/wallet/bind.js');
    const options = { signature: args.signature, address: flags.address, actor: flags.as };
    return this.withHome(async (home) => {
      try {
        return await bindWallet(home, options);
      } catch (error) {
        return bindWallet(home, await confirmed(error, options));
      }
    });
  }

  protected present({ address, bound_at }: BoundWallet): readonly string[] {
    return pairs([
      ['address', address],
      ['bound', bound_at],
    ]);
  }
}

/** Returns the options with the recovered address, once a person has confirmed it. @throws the refusal otherwise */
async function confirmed(error: unknown, options: BindOptions): Promise<BindOptions> {
  const recovered = error instanceof RefusalError && options.address === undefined ? error.refusal.facts?.['address'] : null;
  const isUnconfirmed = error instanceof RefusalError && error.refusal.code === 'invalid' && typeof recovered === 'string';
  if (isUnconfirmed && (await confirm(`The signature gives the address ${recovered}. Is it yours?`)))
    return { ...options, address: recovered };
  throw error;
}
