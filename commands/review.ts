import { Flags } from '@oclif/core';
import type { MissionRecord } from '../src/codec/api-missions.js';
import { actorFlag, AgentCommand, missionArg } from '../src/cli/command.js';
import { askDecision, canAsk, decisionOf, type Decision } from '../src/cli/decide.js';
import { noPagerFlag } from '../src/cli/pager.js';
import { decidedLines, missionLines, recordLines } from '../src/cli/render.js';
import type { Warned } from '../src/cli/warnings.js';

export default class Review extends AgentCommand<Warned<MissionRecord>> {
  static override description = `Approve or reject a result that is in review.
On a terminal, without flags, it shows the result and asks for your decision and reason. Elsewhere the flags give them, with the revision and
the hash of the result that you looked at. Approval archives the result, so that it can be exported and invoiced. It does not trade, send funds or
operate equipment. The result is verified again first; one that fails can only be rejected.`;
  static override examples = [
    '<%= config.bin %> review 0f8f',
    '<%= config.bin %> review 0f8fad5b-d9cb-469f-a165-70867728950e --revision 12 --result-hash HASH --approve --note "checked against the plan"',
  ];
  static override args = { mission: missionArg };
  static override flags = {
    revision: Flags.integer({ description: 'the revision that you looked at', helpValue: 'N' }),
    'result-hash': Flags.string({ description: 'the hash of the result that you looked at', helpValue: 'HASH' }),
    approve: Flags.boolean({ description: 'archive the result as approved; this or --reject' }),
    reject: Flags.boolean({ description: 'reject the result; the record stays; this or --approve' }),
    note: Flags.string({ description: 'your reason, 1 to 2000 characters', helpValue: 'TEXT' }),
    'no-pager': noPagerFlag,
    as: actorFlag,
  };

  private isAsked = false;

  protected async act(): Promise<Warned<MissionRecord>> {
    const { args, flags } = await this.parse(Review);
    this.isPaged = !flags['no-pager'];
    const given = decisionOf(flags, canAsk() && !this.jsonEnabled());
    const { reviewMission } = await import('../src/app/missions/review.js');
    const decided = given ?? (await this.ask(flags.home, args.mission));
    const warnings: string[] = [];
    const decision = { ...decided, actor: flags.as, onWarning: (warning: string) => void warnings.push(warning) };
    const mission = await this.withMission(flags.home, args.mission, (home, id) => reviewMission(home, id, decision));
    return warnings.length === 0 ? mission : { ...mission, warnings };
  }

  /** Shows the result and asks for the decision on it. The home is closed while the person thinks. */
  private async ask(home: string | undefined, named: string): Promise<Decision> {
    const { requireReviewable } = await import('../src/app/missions/review.js');
    const shown = await this.withMission(home, named, requireReviewable);
    this.show([...recordLines(shown), '']);
    this.isAsked = true;
    const { revision, result_hash, verification } = shown;
    return { revision, result_hash: result_hash ?? '', ...(await askDecision(verification?.passed === true)) };
  }

  protected present(mission: MissionRecord): readonly string[] {
    return this.isAsked ? decidedLines(mission) : missionLines(mission);
  }

  protected override warningsOf({ warnings = [] }: Warned<MissionRecord>): readonly string[] {
    return warnings;
  }
}
