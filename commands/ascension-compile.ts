import { Args, Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { planLines } from '../src/cli/ascension.js';
import type { PlanReport } from '../src/app/ascension/plan-file.js';

export default class AscensionCompile extends AgentCommand<PlanReport> {
  static override description = `Compile jobs into the plan whose root a smart contract keeps. It needs no home.
JOBS is a JSON list of 1 to 128 {goal, successMetric, bounty, duration, priceWeight}, at most 250000 bytes: two texts of at most 512
bytes, a decimal string in units of 10^-18 AGIALPHA, seconds, basis points. A job's index is its place, from 0.`;
  static override examples = ['<%= config.bin %> ascension-compile jobs.json --output plan.json'];
  static override args = { jobs: Args.string({ description: 'a JSON file of jobs', required: true }) };
  static override flags = {
    output: Flags.string({ description: 'a file that must not exist', required: true, helpValue: 'FILE' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof AscensionCompile>): Promise<PlanReport> {
    const { compilePlanFile } = await import('../src/app/ascension/plan-file.js');
    return compilePlanFile(args.jobs, flags.output);
  }

  protected present = planLines;
}
