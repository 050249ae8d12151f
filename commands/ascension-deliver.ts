import { Args, Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { deliveryLines } from '../src/cli/ascension.js';
import type { DeliverOptions, DeliverReport } from '../src/app/ascension/deliver.js';

const bin = '<%= config.bin %>';

export default class AscensionDeliver extends AgentCommand<DeliverReport> {
  static override description = `Bind an approved mission to a job of a plan, in a signed file whose keccak256 is the result hash.
The mission's goal must be the job's goal, letter by letter. One --index writes one file; several, or --all, write a new directory of
files job-000.json, job-001.json and so on: all of them or none.`;
  static override examples = [
    `${bin} ascension-deliver plan.json --index 0 --mission 0f8fad5b-d9cb-469f-a165-70867728950e --output delivery.json`,
    `${bin} ascension-deliver plan.json --all --find-mission --output deliveries`,
  ];
  static override args = { plan: Args.string({ description: 'a plan', required: true }) };
  static override flags = {
    index: Flags.integer({
      description: 'the index of a job',
      multiple: true,
      multipleNonGreedy: true,
      min: 0,
      helpValue: 'N',
      exactlyOne: ['index', 'all'],
    }),
    all: Flags.boolean({ description: 'every job of the plan' }),
    mission: Flags.string({
      description: "the mission's id, or its first 4 characters or more, for a single job",
      helpValue: 'ID',
      exactlyOne: ['mission', 'find-mission'],
    }),
    'find-mission': Flags.boolean({ description: 'take the one approved mission that has the goal of the job' }),
    output: Flags.string({
      description: 'a file, or for several jobs a directory, that must not exist',
      required: true,
      helpValue: 'PATH',
    }),
  };

  protected async act({ args, flags }: ParsedInput<typeof AscensionDeliver>): Promise<DeliverReport> {
    const { deliver } = await import('../src/app/ascension/deliver.js');
    const { mission, output } = flags;
    const jobs: DeliverOptions['jobs'] = flags.all ? 'all' : (flags.index ?? []);
    const given = { plan: args.plan, jobs, output } as const;
    if (mission === undefined) return this.withHome((home) => deliver(home, given));
    return this.withMission(mission, (home, id) => deliver(home, { ...given, mission: id }));
  }

  protected present = deliveryLines;
}
