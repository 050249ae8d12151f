import { Args } from '@oclif/core';
import type { ImportedTool } from '../../src/codec/api-tools.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { toolLines, warningTexts } from '../../src/cli/tools.js';

export default class ToolImport extends AgentCommand<ImportedTool> {
  static override description = `Record a tool's manifest in the journal.
Importing the same manifest again changes nothing. A changed manifest needs a new tool_version; the status of the tool stays.
An imported tool is for reference only: its status is not enforced.`;
  static override examples = ['<%= config.bin %> tool import manifest.json'];
  static override args = { file: Args.string({ description: 'a manifest (JSON)', required: true }) };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof ToolImport>): Promise<ImportedTool> {
    const { importTool } = await import('../../src/app/tools/tools.js');
    return this.withHome((home) => importTool(home, args.file, flags.as));
  }

  protected present(report: ImportedTool): readonly string[] {
    return [...(report.recorded ? [] : ['nothing changed: this manifest is imported already']), ...toolLines(report)];
  }

  protected override warningsOf({ warnings }: ImportedTool): readonly string[] {
    return warningTexts(warnings);
  }
}
