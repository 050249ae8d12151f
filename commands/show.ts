import { AgentCommand, missionArg } from '../src/cli/command.js';
import { missionLines } from '../src/cli/render.js';
import type { MissionRecord } from '../src/codec/api-missions.js';

export default class Show extends AgentCommand<MissionRecord> {
  static override description = 'Show a mission: its state, stages, result, and what may be done with it next.';
  static override examples = ['<%= config.bin %> show 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = { mission: missionArg };

  protected async act(): Promise<MissionRecord> {
    const { args, flags } = await this.parse(Show);
    const { showMission } = await import('../src/app/missions/missions.js');
    return this.withMission(flags.home, args.mission, (home, id) => showMission(home, id), {
      onlyReads: true,
      onDamage: 'fails after printing',
    });
  }

  protected present(mission: MissionRecord): readonly string[] {
    return missionLines(mission);
  }
}
