import { Args, Flags } from '@oclif/core';
import { quoted } from '../src/base/text.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { runLines, runTable } from '../src/cli/simulation.js';
import { runStates } from '../src/codec/simulation.js';
import type { RunRecordPage, RunWithResults } from '../src/app/simulation/runs/stored.js';

export default class Runs extends AgentCommand<RunRecordPage | RunWithResults> {
  static override description = `List the simulation runs of a home, the newest first; or show one with its results.
Runs whose process is gone are failed with "interrupted" first.`;
  static override examples = [
    '<%= config.bin %> runs',
    '<%= config.bin %> runs --state failed --json',
    '<%= config.bin %> runs 0f8fad5bd9cb469f',
  ];
  static override args = { run: Args.string({ description: "a run's id, or its first 4 digits or more" }) };
  static override flags = {
    state: Flags.option({ options: runStates, description: 'only runs in this state' })(),
    search: Flags.string({ description: 'only runs whose name contains this, or whose id begins with it', helpValue: 'TEXT' }),
    sweep: Flags.string({ description: 'only runs of this sweep; "none": only runs of no sweep', helpValue: 'ID' }),
    limit: Flags.integer({ description: 'how many', helpValue: 'N' }),
    cursor: Flags.string({ description: 'next_cursor of the previous page', helpValue: 'CURSOR' }),
    genome: Flags.boolean({ description: 'with a run and --json, also the genome of each individual' }),
    as: actorFlag,
  };

  /** The flags that the next page needs again. */
  private filters = '';

  protected async act({ args, flags }: ParsedInput<typeof Runs>): Promise<RunRecordPage | RunWithResults> {
    const again = ['state', 'search', 'sweep', 'limit'] as const;
    this.filters = again.map((name) => (flags[name] === undefined ? '' : ` --${name} ${quoted(String(flags[name]))}`)).join('');
    const [{ runRecords, showRun }, { failDeadRuns, runNamed }] = await Promise.all([
      import('../src/app/simulation/runs/stored.js'),
      import('../src/app/simulation/runs/runs.js'),
    ]);
    return this.withHome(async (home) => {
      await failDeadRuns(home, { actor: flags.as });
      return args.run === undefined ? runRecords(home.db, flags) : showRun(home.db, runNamed(home.db, args.run), flags.genome);
    });
  }

  protected present(answer: RunRecordPage | RunWithResults): readonly string[] {
    if ('id' in answer) return runLines(answer);
    const { items, next_cursor } = answer;
    if (items.length === 0) return this.filters === '' ? ['no runs', '', 'next: agent-cli simulate'] : ['no runs'];
    const more = `more: agent-cli runs --cursor ${next_cursor}${this.filters}`;
    return [...runTable(items), ...(next_cursor === null ? [] : ['', more])];
  }
}
