import { Args } from '@oclif/core';
import type { ValidateReport } from '../../src/app/tools/tools.js';
import { AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { verdictLines } from '../../src/cli/tools.js';

export default class ToolValidate extends AgentCommand<ValidateReport> {
  static override description = `Validate AEP-005 tool manifests; no home required.
Every error is printed with its path in the manifest. Members that are valid alone but contradict each other cause warnings.`;
  static override examples = ['<%= config.bin %> tool validate manifest.json', '<%= config.bin %> tool validate *.json --json'];
  static override args = {
    file: Args.string({ description: 'manifests (JSON), one or more', required: true, multiple: true }),
  };

  protected async act({ args }: ParsedInput<typeof ToolValidate>): Promise<ValidateReport> {
    const { validateManifests } = await import('../../src/app/tools/tools.js');
    const report = validateManifests(args.file);
    if (!report.valid) this.answerNo('invalid');
    return report;
  }

  protected present({ files }: ValidateReport): readonly string[] {
    return files.flatMap(verdictLines);
  }
}
