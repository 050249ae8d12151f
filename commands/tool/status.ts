import { Args, Flags } from '@oclif/core';
import type { ToolRecord } from '../../src/codec/api-tools.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { toolLines } from '../../src/cli/tools.js';

const settable = ['active', 'deprecated', 'disabled', 'quarantined'] as const;

export default class ToolStatus extends AgentCommand<ToolRecord> {
  static override description = `Set a tool's status, with a reason that is recorded in the signed event.
A built-in tool that is draft, disabled or quarantined cannot be used; a deprecated one works with a warning.
From draft: active. From active: deprecated, disabled, quarantined. From deprecated: disabled, quarantined.
From disabled: active. From quarantined: active, disabled.`;
  static override examples = [
    '<%= config.bin %> tool status mission_research --set quarantined --note "quotes look wrong"',
    '<%= config.bin %> tool status mission_research --set active --note "checked, the source was at fault"',
  ];
  static override args = { tool: Args.string({ description: "the tool's id", required: true }) };
  static override flags = {
    set: Flags.option({ options: settable, description: 'the new status', required: true })(),
    note: Flags.string({ description: 'your reason, 1 to 2000 characters', required: true, helpValue: 'TEXT' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof ToolStatus>): Promise<ToolRecord> {
    const { setToolStatus } = await import('../../src/app/tools/tools.js');
    const change = { to: flags.set, note: flags.note, actor: flags.as };
    return this.withHome((home) => setToolStatus(home, args.tool, change));
  }

  protected present = toolLines;
}
