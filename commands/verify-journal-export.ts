import { Args, Flags } from '@oclif/core';
import type { PeriodVerdict } from '../src/app/exports/verify-period.js';
import { AgentCommand, type ParsedInput, publicKeyFlag } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import { paint } from '../src/cli/text.js';

export default class VerifyJournalExport extends AgentCommand<PeriodVerdict> {
  static override description =
    'Verify what journal export wrote, with the key of the log: that no line was changed, moved or removed. It needs no home.';
  static override examples = ['<%= config.bin %> verify-journal-export november.jsonl --public-key HEX'];
  static override args = { file: Args.string({ description: 'a file of journal export (.jsonl)', required: true }) };
  static override flags = {
    'public-key': Flags.string({ ...publicKeyFlag, required: true }),
  };

  protected async act({ args, flags }: ParsedInput<typeof VerifyJournalExport>): Promise<PeriodVerdict> {
    const { verifyPeriod } = await import('../src/app/exports/verify-period.js');
    return this.judged(await verifyPeriod(args.file, flags['public-key']));
  }

  protected present({ valid, reason, from, to, entries, first, last }: PeriodVerdict): readonly string[] {
    const lines = pairs([
      ['period', from === null || to === null ? null : `${from} to ${to}, its end not included`],
      ['entries', first === null || last === null ? String(entries) : `${entries} (${first} to ${last})`],
      ['reason', reason],
    ]);
    return [valid ? paint.out('green', '✓ valid') : paint.out('red', '✗ not valid'), ...lines];
  }
}
