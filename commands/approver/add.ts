import { Args, Flags } from '@oclif/core';
import type { ApproverDocument } from '../../src/codec/api-approvers.js';
import { approverLines } from '../../src/cli/approvers.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';

export default class ApproverAdd extends AgentCommand<ApproverDocument> {
  static override description = `Add a person who approves results, or a key of one, by an SSH public key.
The private key stays where it is: nobody who has only this home can sign for that person. Compare the fingerprint that is printed with the person's own.
Accepted are ssh-ed25519 and ecdsa-sha2-nistp256, also on hardware (sk-), and RSA of 3072 bits or more; no certificates.`;
  static override examples = [
    '<%= config.bin %> approver add alice --key alice.pub --title "Head of procurement"',
    'ssh-add -L | head -n 1 | <%= config.bin %> approver add alice --key -',
  ];
  static override args = { name: Args.string({ description: '1 to 64 of A-Z a-z 0-9 _ -', required: true }) };
  static override streams = ['key'];
  static override flags = {
    key: Flags.string({
      description: 'the file of the public key, or - for standard input',
      required: true,
      helpValue: 'FILE.pub',
    }),
    title: Flags.string({ description: "the person's role", helpValue: 'TEXT' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof ApproverAdd>): Promise<ApproverDocument> {
    const { addApproverKey, readKeyFile } = await import('../../src/app/approvals/approvers.js');
    const key = readKeyFile(flags.key);
    const addition = { name: args.name, title: flags.title ?? null, actor: flags.as };
    return this.withHome((home) => addApproverKey(home, addition, { kind: 'ssh', key }));
  }

  protected present = approverLines;
}
