import type { MissionRecord } from '../src/codec/api-missions.js';
import { actorFlag, AgentCommand, type ParsedInput, missionArg, stopsWork } from '../src/cli/command.js';
import { missionLines } from '../src/cli/render.js';

export default class Cancel extends AgentCommand<MissionRecord> {
  static override description = 'Cancel a queued or running mission: it becomes failed and can be recovered.';
  static override examples = ['<%= config.bin %> cancel 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = { mission: missionArg };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof Cancel>): Promise<MissionRecord> {
    const { cancelMission } = await import('../src/app/missions/missions.js');
    return this.withMission(args.mission, (home, id) => cancelMission(home, id, flags.as), stopsWork);
  }

  protected present = missionLines;
}
