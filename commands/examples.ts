import { Flags } from '@oclif/core';
import { quoted } from '../src/base/text.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import type { ExamplesReport } from '../src/app/missions/examples.js';

export default class Examples extends AgentCommand<ExamplesReport> {
  static override description =
    'Write five example missions to edit, one of each kind, into a new directory, with spreadsheets for the kinds that can be made from one.';
  static override examples = ['<%= config.bin %> examples --output missions'];
  static override flags = {
    output: Flags.string({ description: 'a directory that must not exist', required: true, helpValue: 'DIR' }),
  };

  protected async act({ flags }: ParsedInput<typeof Examples>): Promise<ExamplesReport> {
    const { writeExamples } = await import('../src/app/missions/examples.js');
    return writeExamples(flags.output);
  }

  protected present({ files, spreadsheets }: ExamplesReport): readonly string[] {
    return [...files, ...spreadsheets, '', `next: agent-cli run ${quoted(files[2] ?? '')} --execute`];
  }
}
