import { Flags } from '@oclif/core';
import type { PeriodReport } from '../../src/app/log/period.js';
import { quoted } from '../../src/base/text.js';
import { AgentCommand, type ParsedInput } from '../../src/cli/command.js';

export default class JournalExport extends AgentCommand<PeriodReport> {
  static override description =
    `Export the journal's entries of a period with their proofs: who did what, verifiable without a home.
The period includes its beginning and not its end. What is stored apart from the entries, such as requests and results, is named by its hash. A file
that ends in .csv is a table for reading, which cannot be verified.`;
  static override examples = [
    '<%= config.bin %> journal export --from 2026-11-01 --to 2026-12-01 --output november.jsonl',
    '<%= config.bin %> journal export --from 2026-11-01 --to 2026-12-01 --output november.csv',
  ];
  static override flags = {
    from: Flags.string({ description: 'the beginning: a date or a time in UTC', required: true, helpValue: 'DATE' }),
    to: Flags.string({ description: 'the end, which is not in the period', required: true, helpValue: 'DATE' }),
    output: Flags.string({ description: 'a new file, .jsonl or .csv', required: true, helpValue: 'FILE' }),
    'with-sources': Flags.boolean({ description: 'include requests, results and configurations that were not erased' }),
  };

  protected async act({ flags }: ParsedInput<typeof JournalExport>): Promise<PeriodReport> {
    const { exportPeriod } = await import('../../src/app/log/period.js');
    const options = { ...flags, withSources: flags['with-sources'] };
    return this.withHome((home) => exportPeriod(home, options));
  }

  protected present({ output, entries, first, last, verifiable }: PeriodReport): readonly string[] {
    const which = first === null || last === null ? '' : ` (${first} to ${last})`;
    const note = verifiable
      ? `next: agent-cli verify-journal-export ${quoted(output)} --public-key HEX`
      : 'this table is for reading and cannot be verified';
    return [`${entries === 1 ? '1 entry' : `${entries} entries`}${which} written to ${output}`, note];
  }
}
