import { Args } from '@oclif/core';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { pairs } from '../../src/cli/table.js';
import type { WitnessAdded } from '../../src/app/log/checkpoint.js';

export default class WitnessAdd extends AgentCommand<WitnessAdded> {
  static override description =
    "Register a witness, which cosigns this log's checkpoints as long as they are consistent (C2SP tlog-witness), and request a first cosignature.";
  static override examples = ['<%= config.bin %> witness add https://witness.example witness.example/w1+HEX+BASE64'];
  static override args = {
    url: Args.string({ description: 'its submission prefix; http only on this machine', required: true }),
    vkey: Args.string({ description: 'its verifier key (cosignature/v1)', required: true }),
  };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof WitnessAdd>): Promise<WitnessAdded> {
    const { addWitness } = await import('../../src/app/log/checkpoint.js');
    const asked = { url: args.url, vkey: args.vkey, actor: flags.as };
    return this.withHome((home) => addWitness(home, asked));
  }

  protected present({ name, url, cosigned }: WitnessAdded): readonly string[] {
    return [
      ...pairs([
        ['witness', name],
        ['url', url],
        ['cosigned', cosigned === null ? 'nothing yet' : `${cosigned} entries`],
      ]),
    ];
  }
}
