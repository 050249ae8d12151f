import { Args } from '@oclif/core';
import { AgentCommand } from '../../src/cli/command.js';
import { verdictLines } from '../../src/cli/tools.js';
import type { ValidateReport } from '../../src/app/tools/validate.js';

export default class ToolValidate extends AgentCommand<ValidateReport> {
  static override description = `Validate AEP-005 tool manifests; no home required.
Every fault is printed with its path within the manifest; members that each fit but not each other are warnings.`;
  static override examples = ['<%= config.bin %> tool validate manifest.json', '<%= config.bin %> tool validate *.json --json'];
  static override args = {
    file: Args.string({ description: 'manifests (JSON), one or more', required: true, multiple: true }),
  };

  protected async act(): Promise<ValidateReport> {
    const { args } = await this.parse(ToolValidate);
    const { validateManifests } = await import('../../src/app/tools/validate.js');
    const report = validateManifests(args.file);
    if (!report.valid) this.answerNo('invalid');
    return report;
  }

  protected present({ files }: ValidateReport): readonly string[] {
    return files.flatMap(verdictLines);
  }
}
