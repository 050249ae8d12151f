import { Args, Flags } from '@oclif/core';
import type { ApproverDocument } from '../../src/codec/api-approvers.js';
import { approverLines } from '../../src/cli/approvers.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';

export default class ApproverRemove extends AgentCommand<ApproverDocument> {
  static override description = `Remove a person who approves results, or one key.
A removed key approves nothing from then on and is never accepted again. What it approved before stays valid.`;
  static override examples = [
    '<%= config.bin %> approver remove alice --key SHA256:… --reason "lost laptop"',
    '<%= config.bin %> approver remove alice --reason "left the company"',
  ];
  static override args = { name: Args.string({ description: "the approver's name", required: true }) };
  static override flags = {
    key: Flags.string({ description: 'one key; all of them without it', helpValue: 'FINGERPRINT' }),
    reason: Flags.string({ description: 'why, 1 to 500 characters', required: true, helpValue: 'TEXT' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof ApproverRemove>): Promise<ApproverDocument> {
    const { removeApprover } = await import('../../src/app/approvals/approvers.js');
    const removal = { name: args.name, fingerprint: flags.key ?? null, reason: flags.reason, actor: flags.as };
    return this.withHome((home) => removeApprover(home, removal));
  }

  protected present = approverLines;
}
