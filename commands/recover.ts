import type { MissionRecord } from '../src/codec/api-missions.js';
import { actorFlag, AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { missionLines } from '../src/cli/render.js';

export default class Recover extends AgentCommand<MissionRecord> {
  static override description =
    'Queue a failed or interrupted mission again, with the same input. It is then executed under the current configuration.';
  static override examples = ['<%= config.bin %> recover 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = { mission: missionArg };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof Recover>): Promise<MissionRecord> {
    const { recoverMission } = await import('../src/app/missions/missions.js');
    return this.withMission(args.mission, (home, id) => recoverMission(home, id, flags.as));
  }

  protected present = missionLines;
}
