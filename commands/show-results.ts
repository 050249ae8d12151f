import { Flags } from '@oclif/core';
import { invalid, RefusalError } from '../src/base/refusal.js';
import { ledger_entries_shown_max } from '../src/base/limits.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { entryLine } from '../src/cli/simulation.js';
import type { LedgerEntry } from '../src/codec/simulation-ledger.js';

const ledger_entries_shown_default = 10;

interface LedgerReport {
  readonly ledger: string;
  readonly items: readonly LedgerEntry[];
}

export default class ShowResults extends AgentCommand<LedgerReport> {
  static override description = `Show the newest entries of ./ledger/runs.jsonl, the newest first. The whole ledger is verified.
It needs no home. The runs of a home, those that failed among them, are shown by the runs command.`;
  static override examples = ['<%= config.bin %> show-results', '<%= config.bin %> show-results --limit 50 --json'];
  static override flags = {
    limit: Flags.integer({ description: 'how many', helpValue: 'N', default: ledger_entries_shown_default }),
  };

  protected async act({ flags }: ParsedInput<typeof ShowResults>): Promise<LedgerReport> {
    const { limit } = flags;
    if (limit < 1 || limit > ledger_entries_shown_max)
      throw new RefusalError(invalid('limit', `must be from 1 to ${ledger_entries_shown_max}`));
    const { ledgerPaths, newestEntries } = await import('../src/app/simulation/ledger/ledger.js');
    const { runs } = ledgerPaths('.');
    return { ledger: runs, items: newestEntries(runs, limit) };
  }

  protected present({ ledger, items }: LedgerReport): readonly string[] {
    if (items.length === 0) return [`no entries in ${ledger}`, '', 'next: agent-cli simulate'];
    return items.map(entryLine);
  }
}
