import { actorFlag, AgentCommand, missionArg } from '../src/cli/command.js';
import { execute } from '../src/cli/execute.js';
import { missionLines } from '../src/cli/render.js';
import type { MissionRecord } from '../src/codec/api-missions.js';

export default class Execute extends AgentCommand<MissionRecord> {
  static override description = 'Execute a queued mission and wait. It ends in review; Ctrl-C stops it and records a failure.';
  static override examples = ['<%= config.bin %> execute 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = { mission: missionArg };
  static override flags = { as: actorFlag };

  protected async act(): Promise<MissionRecord> {
    const { args, flags } = await this.parse(Execute);
    return this.withMission(flags.home, args.mission, (home, id) => execute(home, id, flags.as, !this.jsonEnabled()));
  }

  protected present(mission: MissionRecord): readonly string[] {
    return missionLines(mission);
  }
}
