import { Args } from '@oclif/core';
import type { RunVerification } from '../src/app/simulation/runs/execute.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import { pairs } from '../src/cli/table.js';
import { paint } from '../src/cli/text.js';

export default class VerifyRun extends AgentCommand<RunVerification> {
  static override description =
    `Compute a simulation run again from its recorded request, seed and islands, and compare the outcome's hash.
Exits with 3 when they differ.`;
  static override examples = ['<%= config.bin %> verify-run 0f8fad5bd9cb469f'];
  static override args = { run: Args.string({ description: "the run's id, or its first 4 digits or more", required: true }) };

  protected async act({ args }: ParsedInput<typeof VerifyRun>): Promise<RunVerification> {
    const [{ verifyRun }, { runNamed }] = await Promise.all([
      import('../src/app/simulation/runs/execute.js'),
      import('../src/app/simulation/runs/runs.js'),
    ]);
    const verdict = await withProgress(!this.jsonEnabled(), (update) => {
      const onGeneration = (_: number, done: number): void => update('compute', done);
      return this.withHome((home) => verifyRun(home, runNamed(home.db, args.run), { onGeneration }));
    });
    return this.judged(verdict);
  }

  protected present({ valid, reason, ...verdict }: RunVerification): readonly string[] {
    const mark = valid ? paint.out('green', '✓ verified: computing gives the same bytes') : paint.out('red', '✗ refuted');
    return [
      mark,
      ...pairs([
        ['run', verdict.id],
        ['engine', `${verdict.engine.name} ${verdict.engine.version}`],
        ['seed', String(verdict.seed)],
        ['recorded', verdict.outcome_hash],
        ['computed', verdict.recomputed_hash ?? 'nothing'],
        ...(reason === null ? [] : [['reason', reason] as const]),
      ]),
    ];
  }
}
