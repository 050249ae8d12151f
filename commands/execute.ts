import { actorFlag, AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { execute, waitFlag } from '../src/cli/execute.js';
import { missionLines } from '../src/cli/render.js';
import type { MissionRecord } from '../src/codec/api-missions.js';

export default class Execute extends AgentCommand<MissionRecord> {
  static override description =
    'Execute a queued mission as soon as a place is free, and wait until it is in review. If a daemon runs, it does the work, and Ctrl-C stops only the waiting. Otherwise Ctrl-C stops the work and records a failure.';
  static override examples = ['<%= config.bin %> execute 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = { mission: missionArg };
  static override flags = { wait: waitFlag, as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof Execute>): Promise<MissionRecord> {
    const options = { actor: flags.as, visible: !this.jsonEnabled(), waits: flags.wait ?? true };
    return this.withMission(args.mission, (home, id) => execute(home, id, options));
  }

  protected present = missionLines;
}
