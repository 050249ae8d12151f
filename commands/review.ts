import { Args, Flags } from '@oclif/core';
import type { MissionRecord } from '../src/codec/api-missions.js';
import { actorFlag, AgentCommand } from '../src/cli/command.js';
import { missionLines } from '../src/cli/render.js';
import type { Warned } from '../src/cli/warnings.js';

const choice = { exactlyOne: ['approve', 'reject'] };

export default class Review extends AgentCommand<Warned<MissionRecord>> {
  static override description = `Record your decision on a result that waits in review.
Approval archives the result, so that it can be exported and invoiced. It does not trade, send funds or operate equipment.
The result is verified again first; one that fails can only be rejected.`;
  static override examples = [
    '<%= config.bin %> review 0f8fad5b-d9cb-469f-a165-70867728950e --revision 12 --result-hash HASH --approve --note "checked against the plan"',
  ];
  static override args = { mission: Args.string({ description: "the mission's UUID", required: true }) };
  static override flags = {
    revision: Flags.integer({ description: 'the revision that you looked at', required: true, helpValue: 'N' }),
    'result-hash': Flags.string({ description: 'the hash of the result that you looked at', required: true, helpValue: 'HASH' }),
    approve: Flags.boolean({ description: 'archive the result as approved; this or --reject', ...choice }),
    reject: Flags.boolean({ description: 'reject the result; the record stays; this or --approve', ...choice }),
    note: Flags.string({ description: 'your reason, 1 to 2000 characters', required: true, helpValue: 'TEXT' }),
    as: actorFlag,
  };

  protected async act(): Promise<Warned<MissionRecord>> {
    const { args, flags } = await this.parse(Review);
    const { reviewMission } = await import('../src/app/missions/review.js');
    const { revision, note, as: actor } = flags;
    // oclif leaves a switch that was not given undefined, although its type does not say so.
    const given: { readonly approve?: boolean } = flags;
    const approve = given.approve === true;
    const warnings: string[] = [];
    const onWarning = (warning: string): void => void warnings.push(warning);
    const decision = { revision, result_hash: flags['result-hash'], approve, note, actor, onWarning };
    const mission = await this.withHome(flags.home, (home) => reviewMission(home, args.mission, decision));
    return warnings.length === 0 ? mission : { ...mission, warnings };
  }

  protected present(mission: MissionRecord): readonly string[] {
    return missionLines(mission);
  }

  protected override warningsOf({ warnings = [] }: Warned<MissionRecord>): readonly string[] {
    return warnings;
  }
}
