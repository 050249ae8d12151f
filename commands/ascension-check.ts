import { Args } from '@oclif/core';
import type { PlanReport } from '../src/app/ascension/plan-file.js';
import { planLines } from '../src/cli/ascension.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { paint } from '../src/cli/text.js';

export default class AscensionCheck extends AgentCommand<PlanReport> {
  static override description = `Check a plan: compute every leaf, proof and total again, and compare the text of the file.
It needs no home.`;
  static override examples = ['<%= config.bin %> ascension-check plan.json'];
  static override args = { plan: Args.string({ description: 'a plan', required: true }) };

  protected async act({ args }: ParsedInput<typeof AscensionCheck>): Promise<PlanReport> {
    const { checkPlanFile } = await import('../src/app/ascension/plan-file.js');
    return this.judged(checkPlanFile(args.plan));
  }

  protected present(report: PlanReport): readonly string[] {
    const mark = report.valid ? paint.out('green', '✓ valid') : paint.out('red', '✗ not valid');
    return [mark, ...planLines(report)];
  }
}
