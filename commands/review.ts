import type { MissionRecord } from '../src/codec/api-missions.js';
import { actorFlag, AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { askDecision, canAsk, decisionFlags, decisionOf, type Decision } from '../src/cli/decide.js';
import { inputLines } from '../src/cli/inputs.js';
import { noPagerFlag } from '../src/cli/pager.js';
import { review, signingFlags, toSignLines, type Within } from '../src/cli/signed-review.js';
import { decidedLines, missionLines, recordLines } from '../src/cli/render.js';
import type { WithWarnings } from '../src/cli/warnings.js';

export default class Review extends AgentCommand<WithWarnings<MissionRecord>> {
  static override description = `Approve or reject a result that is in review.
On a terminal, without flags, it shows the result and asks for your decision and reason. Elsewhere the flags give them, with the revision and
the hash of the result that you looked at. Approval archives the result, so that it can be exported and invoiced. It does not trade, send funds or
operate equipment. The result is verified again first; one that fails can only be rejected.
An approver's SSH key signs the approval: on a terminal you choose among those in ssh-agent and ~/.ssh, elsewhere --sign names it. Without a
key, the home records the approval for the name.`;
  static override examples = [
    '<%= config.bin %> review 0f8f',
    '<%= config.bin %> review 0f8f --sign ~/.ssh/id_ed25519',
    '<%= config.bin %> review 0f8fad5b-d9cb-469f-a165-70867728950e --revision 12 --result-hash HASH --approve --note "checked against the plan"',
  ];
  static override args = { mission: missionArg };
  static override flags = { ...decisionFlags, 'no-pager': noPagerFlag, ...signingFlags, as: actorFlag };

  private isAsked = false;
  /** The file that takes what is to be signed elsewhere. */
  private file: string | undefined;

  protected async act({ args, flags }: ParsedInput<typeof Review>): Promise<WithWarnings<MissionRecord>> {
    this.isPaged = !flags['no-pager'];
    this.file = flags['subject-out'];
    const warnings: string[] = [];
    const options = { actor: flags.as, onWarning: (warning: string) => void warnings.push(warning) };
    const within: Within = (use) => this.withMission(args.mission, use);
    const isKeyed = flags.sign !== undefined || flags['subject-out'] !== undefined;
    const decide = async (): Promise<Decision> =>
      decisionOf(flags, canAsk() && !this.jsonEnabled()) ?? (await this.ask(args.mission, isKeyed));
    const mission = await review(within, flags, decide, options);
    return warnings.length === 0 ? mission : { ...mission, warnings };
  }

  /** Shows the result and asks for the decision on it. The home is closed while the person thinks. */
  private async ask(named: string, isKeyed: boolean): Promise<Decision> {
    const { requireReviewable } = await import('../src/app/missions/review.js');
    const { listApprovers } = await import('../src/app/approvals/approvers.js');
    const shown = await this.withMission(named, (opened, id) => ({
      mission: requireReviewable(opened, id),
      approvers: isKeyed ? [] : listApprovers(opened).items,
    }));
    this.show([...recordLines(shown.mission, inputLines(shown.mission)), '']);
    this.isAsked = true;
    return await askDecision(shown.mission, shown.approvers);
  }

  protected present(mission: MissionRecord): readonly string[] {
    if (this.file !== undefined) return toSignLines(mission.id, this.file);
    return this.isAsked ? decidedLines(mission) : missionLines(mission);
  }
}
