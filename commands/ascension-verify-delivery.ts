import { Args, Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput, publicKeyFlag } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import { verdictLines } from '../src/cli/ascension.js';
import type { DeliveryVerdict } from '../src/app/ascension/delivery.js';

export default class AscensionVerifyDelivery extends AgentCommand<DeliveryVerdict> {
  static override description =
    `Verify a delivery offline: text, signature, plan, goal and export; compute its result again. No home required.
The result hash that is printed is the one to compare with the contract's.`;
  static override examples = ['<%= config.bin %> ascension-verify-delivery delivery.json --public-key HEX --plan-root 0xHEX'];
  static override args = { file: Args.string({ description: 'a delivery', required: true }) };
  static override flags = {
    'public-key': Flags.string({ ...publicKeyFlag, required: true }),
    'plan-root': Flags.string({
      description: '0x and 64 hexadecimal digits, as the contract has it',
      required: true,
      helpValue: '0xHEX',
    }),
    'replay-code': Flags.boolean({
      description: 'run the program of a code mission again, in the sandbox',
    }),
  };

  protected async act({ args, flags }: ParsedInput<typeof AscensionVerifyDelivery>): Promise<DeliveryVerdict> {
    const { verifyDelivery } = await import('../src/app/ascension/delivery.js');
    const { 'public-key': publicKey, 'plan-root': planRoot, 'replay-code': replayCode } = flags;
    const asked = { env: process.env, file: args.file, publicKey, planRoot, replayCode };
    const verdict = await withProgress(!this.jsonEnabled(), (update) =>
      verifyDelivery({ ...asked, onProgress: (done) => update('recompute', done) }),
    );
    return this.judged(verdict);
  }

  protected present = verdictLines;
}
