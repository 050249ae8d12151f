import type { ApproverList as Approvers } from '../../src/codec/api-approvers.js';
import { approverTable } from '../../src/cli/approvers.js';
import { AgentCommand } from '../../src/cli/command.js';

export default class ApproverList extends AgentCommand<Approvers> {
  static override description = 'List the people who approve results, and their keys in use by fingerprint.';
  static override examples = ['<%= config.bin %> approver list'];

  protected async act(): Promise<Approvers> {
    const { listApprovers } = await import('../../src/app/approvals/approvers.js');
    return this.withHome(listApprovers, { onlyReads: true });
  }

  protected present = approverTable;
}
