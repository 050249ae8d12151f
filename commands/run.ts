import { Args, Flags } from '@oclif/core';
import { unwrap } from '../src/base/result.js';
import { actorFlag, AgentCommand } from '../src/cli/command.js';
import { execute } from '../src/cli/execute.js';
import { missionLines } from '../src/cli/render.js';
import type { MissionRecord } from '../src/app/mission-store.js';

export default class Run extends AgentCommand<MissionRecord> {
  static override description =
    'Queue a mission from a file. Nothing executes by itself: add --execute, or use the execute command.';
  static override examples = [
    '<%= config.bin %> run schedule.json --execute',
    '<%= config.bin %> run plan.json --request-id 3f0e6f4e-1f8a-4c55-9a51-2f9c0f6d1a11',
  ];
  static override args = { file: Args.string({ description: 'a mission file (JSON)', required: true }) };
  static override flags = {
    'request-id': Flags.string({
      description: "a UUID that becomes the mission's id; the same id with the same input never queues twice",
      helpValue: 'UUID',
    }),
    execute: Flags.boolean({ description: 'execute at once and wait' }),
    as: actorFlag,
  };

  protected async act(): Promise<MissionRecord> {
    const { args, flags } = await this.parse(Run);
    const { queueMission } = await import('../src/app/submit.js');
    return this.withHome(flags.home, async (home) => {
      const queued = unwrap(queueMission(home, { file: args.file, requestId: flags['request-id'], actor: flags.as }));
      return flags.execute && queued.state === 'queued' ? execute(home, queued.id, flags.as, !this.jsonEnabled()) : queued;
    });
  }

  protected present(mission: MissionRecord): readonly string[] {
    return missionLines(mission);
  }
}
