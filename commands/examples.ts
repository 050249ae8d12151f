import { Flags } from '@oclif/core';
import { AgentCommand } from '../src/cli/command.js';
import type { ExamplesReport } from '../src/app/missions/examples.js';

export default class Examples extends AgentCommand<ExamplesReport> {
  static override description = 'Write five example missions to edit, one of each kind, into a new directory.';
  static override examples = ['<%= config.bin %> examples --output missions'];
  static override flags = {
    output: Flags.string({ description: 'a directory that must not exist', required: true, helpValue: 'DIR' }),
  };

  protected async act(): Promise<ExamplesReport> {
    const { flags } = await this.parse(Examples);
    const { writeExamples } = await import('../src/app/missions/examples.js');
    return writeExamples(flags.output);
  }

  protected present({ files }: ExamplesReport): readonly string[] {
    return [...files, '', `next: agent-cli run ${files[2] ?? ''} --execute`];
  }
}
