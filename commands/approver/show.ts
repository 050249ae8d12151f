import { Args } from '@oclif/core';
import type { ApproverDocument } from '../../src/codec/api-approvers.js';
import { approverLines } from '../../src/cli/approvers.js';
import { AgentCommand, type ParsedInput } from '../../src/cli/command.js';

export default class ApproverShow extends AgentCommand<ApproverDocument> {
  static override description = 'Show a person who approves results, with all keys, removed ones too.';
  static override examples = ['<%= config.bin %> approver show alice'];
  static override args = { name: Args.string({ description: "the approver's name", required: true }) };

  protected async act({ args }: ParsedInput<typeof ApproverShow>): Promise<ApproverDocument> {
    const { showApprover } = await import('../../src/app/approvals/approvers.js');
    return this.withHome((home) => showApprover(home, args.name), { onlyReads: true });
  }

  protected present = approverLines;
}
