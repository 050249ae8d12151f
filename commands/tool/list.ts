import { AgentCommand } from '../../src/cli/command.js';
import { toolTable } from '../../src/cli/tools.js';
import type { ToolList } from '../../src/codec/api-tools.js';

export default class ToolListCommand extends AgentCommand<ToolList> {
  static override description = 'List the tools: built-in ones, whose status is enforced, and imported ones.';
  static override examples = ['<%= config.bin %> tool list', '<%= config.bin %> tool list --json'];

  protected async act(): Promise<ToolList> {
    const { listTools } = await import('../../src/app/tools/tools.js');
    return this.withHome(listTools);
  }

  protected present({ items }: ToolList): readonly string[] {
    return toolTable(items);
  }
}
