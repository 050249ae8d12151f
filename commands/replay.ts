import { setTimeout as wait } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import { invalid, RefusalError } from '../src/base/refusal.js';
import { ledger_entries_shown_max, replay_speed_max } from '../src/base/limits.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { jsonOn } from '../src/cli/output.js';
import { entryLine, replaySince, replaySpeed } from '../src/cli/simulation.js';

/** Time between two replayed entries. */
const replay_delay_ms = 100;

export default class Replay extends AgentCommand<number> {
  static override description =
    `Print the entries of ./ledger/runs.jsonl in order, one every 0.1 s. The whole ledger is verified first.
With --json it prints one JSON object per line. It needs no home.`;
  static override examples = ['<%= config.bin %> replay', '<%= config.bin %> replay --since 2026-11-20 --limit 5 --speed 10'];
  static override flags = {
    since: Flags.string({ description: 'only entries from this day or time (UTC) on', helpValue: 'TIME' }),
    limit: Flags.integer({ description: 'only the newest N', helpValue: 'N' }),
    speed: Flags.string({
      description: `how many times as fast, more than 0, to ${replay_speed_max}`,
      helpValue: 'X',
      default: '1',
    }),
  };

  protected async act({ flags }: ParsedInput<typeof Replay>): Promise<number> {
    const { limit } = flags;
    const since = replaySince(flags.since);
    const delay = replay_delay_ms / replaySpeed(flags.speed);
    if (limit !== undefined && (limit < 1 || limit > ledger_entries_shown_max))
      throw new RefusalError(invalid('limit', `must be from 1 to ${ledger_entries_shown_max}`));
    const { ledgerPaths, replayedEntries } = await import('../src/app/simulation/ledger/ledger.js');
    let shown = 0;
    let isRead = true;
    process.stdout.once('close', () => (isRead = false));
    for (const entry of replayedEntries(ledgerPaths('.').runs, { since, limit })) {
      if (!isRead) break;
      if (shown++ > 0) await wait(delay);
      process.stdout.write(`${this.jsonEnabled() ? jsonOn(process.stdout, entry) : entryLine(entry)}\n`);
    }
    return shown;
  }

  protected present(shown: number): readonly string[] {
    return shown === 0 ? ['no entries to replay'] : [];
  }

  /** Prints nothing, because the lines were printed already. */
  override logJson(): void {}
}
