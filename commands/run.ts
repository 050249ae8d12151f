import { Args, Flags } from '@oclif/core';
import { actorFlag, AgentCommand } from '../src/cli/command.js';
import { execute, stillQueued } from '../src/cli/execute.js';
import { missionLines } from '../src/cli/render.js';
import type { Warned } from '../src/cli/warnings.js';
import type { MissionRecord } from '../src/codec/api-missions.js';

export default class Run extends AgentCommand<Warned<MissionRecord>> {
  static override description =
    'Queue a mission from a file. Nothing executes by itself: add --execute, or use the execute command.';
  static override examples = [
    '<%= config.bin %> run schedule.json --execute',
    '<%= config.bin %> run plan.json --request-id 3f0e6f4e-1f8a-4c55-9a51-2f9c0f6d1a11',
  ];
  static override args = { file: Args.string({ description: 'a mission file (JSON), or - for standard input', required: true }) };
  static override streams = ['file'];
  static override flags = {
    'request-id': Flags.string({
      description: "a UUID, in any case, that becomes the mission's id; the same id with the same input never queues twice",
      helpValue: 'UUID',
    }),
    execute: Flags.boolean({ description: 'execute at once and wait' }),
    as: actorFlag,
  };

  protected async act(): Promise<Warned<MissionRecord>> {
    const { args, flags } = await this.parse(Run);
    const [{ queueMission, submissionWarnings }, { showMission }, { queueWarnings }, { afterCommit }, { failInterrupted }] =
      await Promise.all([
        import('../src/app/missions/submit.js'),
        import('../src/app/missions/missions.js'),
        import('../src/app/tools/records.js'),
        import('../src/app/home/recording.js'),
        import('../src/app/missions/interrupted.js'),
      ]);
    return this.withHome(flags.home, async (home) => {
      const queued = await queueMission(home, { file: args.file, requestId: flags['request-id'], actor: flags.as });
      if (flags.execute && queued.interrupted === true) return failInterrupted(home).then(() => showMission(home, queued.id));
      if (queued.state !== 'queued') return queued;
      this.remark(submissionWarnings(queued));
      if (!flags.execute) {
        const done = { recorded: `mission ${queued.id} is queued`, remains: null };
        this.remark(afterCommit(done, 'its tool could not be read', () => queueWarnings(home, queued.kind)));
        return queued;
      }
      try {
        return await execute(home, queued.id, flags.as, !this.jsonEnabled());
      } catch (error) {
        throw stillQueued(error, queued.id, showMission(home, queued.id).state);
      }
    });
  }

  protected present(mission: MissionRecord): readonly string[] {
    return missionLines(mission);
  }
}
