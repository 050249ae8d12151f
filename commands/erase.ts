import { Flags } from '@oclif/core';
import type { ErasedMission } from '../src/app/missions/missions.js';
import { actorFlag, AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { reasonFlag } from '../src/cli/reason.js';
import { missionLines } from '../src/cli/render.js';

export default class Erase extends AgentCommand<ErasedMission> {
  static override description = `Delete what a decided mission stores apart from its signed events; every proof stays valid.
That is the source texts of research, an input with titles or provenance, any other large input, and a large result. What is recorded in a signed event (the goal, the
findings of an approved result) cannot be erased. Export an approved result first: once its input is erased, it has no export and no report.`;
  static override examples = [
    '<%= config.bin %> erase 0f8fad5b-d9cb-469f-a165-70867728950e --reason "requested by the data subject"',
  ];
  static override args = { mission: missionArg };
  static override flags = {
    reason: Flags.string({ ...reasonFlag, required: true }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof Erase>): Promise<ErasedMission> {
    const { eraseMission } = await import('../src/app/missions/missions.js');
    return this.withMission(args.mission, (home, id) => eraseMission(home, id, flags.reason, flags.as));
  }

  protected present = missionLines;
}
