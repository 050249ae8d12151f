import { Args } from '@oclif/core';
import type { ImportedTool } from '../../src/codec/api-tools.js';
import { actorFlag, AgentCommand } from '../../src/cli/command.js';
import { toolLines, warningTexts } from '../../src/cli/tools.js';

export default class ToolImport extends AgentCommand<ImportedTool> {
  static override description = `Record a tool's manifest in the journal.
Importing the same manifest again changes nothing. A changed manifest needs a new tool_version; the status of the tool stays.
An imported tool is for reference only: its status is not enforced.`;
  static override examples = ['<%= config.bin %> tool import manifest.json'];
  static override args = { file: Args.string({ description: 'a manifest (JSON)', required: true }) };
  static override flags = { as: actorFlag };

  protected async act(): Promise<ImportedTool> {
    const { args, flags } = await this.parse(ToolImport);
    const { importTool } = await import('../../src/app/tools/manifests.js');
    return this.withHome(flags.home, (home) => importTool(home, args.file, flags.as));
  }

  protected present(report: ImportedTool): readonly string[] {
    return [...(report.recorded ? [] : ['nothing changed: this manifest stood already']), ...toolLines(report)];
  }

  protected override warningsOf({ warnings }: ImportedTool): readonly string[] {
    return warningTexts(warnings);
  }
}
