import { Args } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { toolLines } from '../../src/cli/tools.js';
import type { ToolRecord } from '../../src/codec/api-tools.js';

export default class ToolShow extends AgentCommand<ToolRecord> {
  static override description = 'Show a tool: its status, what it may do, and where a person approves its use.';
  static override examples = ['<%= config.bin %> tool show export', '<%= config.bin %> tool show mission_research --json'];
  static override args = { tool: Args.string({ description: "the tool's id", required: true }) };

  protected async act({ args }: ParsedInput<typeof ToolShow>): Promise<ToolRecord> {
    const { showTool } = await import('../../src/app/tools/tools.js');
    return this.withHome((home) => showTool(home, args.tool));
  }

  protected present = toolLines;
}
