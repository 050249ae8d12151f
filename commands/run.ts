import { Args, Flags } from '@oclif/core';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { queueAndExecute, waitFlag } from '../src/cli/execute.js';
import { intakeFlags, readKinds } from '../src/cli/intake-flags.js';
import { effortFlag, queueOf } from '../src/cli/queue.js';
import { missionLines } from '../src/cli/render.js';
import type { WithWarnings } from '../src/cli/warnings.js';
import type { MissionRecord } from '../src/codec/api-missions.js';

export default class Run extends AgentCommand<WithWarnings<MissionRecord>> {
  static override description =
    'Queue a mission from a mission file, with --kind from a spreadsheet or documents, or with --from from another mission. Nothing executes by itself: add --execute, or use the execute command.';
  static override examples = [
    '<%= config.bin %> run schedule.json --execute',
    '<%= config.bin %> run jobs.xlsx --kind schedule --execute',
    '<%= config.bin %> run --from 0f8f --set work.budget=120000 --execute',
  ];
  static override args = {
    file: Args.string({ description: 'a mission file (JSON), or with --kind other files; - for standard input', multiple: true }),
  };
  static override streams = ['file'];
  static override flags = {
    kind: Flags.string({ description: 'the kind of mission to make of a spreadsheet or documents', options: [...readKinds] }),
    from: Flags.string({ description: 'a mission whose request is changed and run again; see --set', helpValue: 'ID' }),
    effort: effortFlag,
    'request-id': Flags.string({
      description: "a UUID, in any case, that becomes the mission's id; the same id with the same input never queues twice",
      helpValue: 'UUID',
    }),
    execute: Flags.boolean({
      description: 'execute when a place is free, and wait; a mission that cannot execute now is not queued',
    }),
    wait: { ...waitFlag, dependsOn: ['execute'] },
    as: actorFlag,
    ...intakeFlags,
  };

  protected async act({ args, flags }: ParsedInput<typeof Run>): Promise<WithWarnings<MissionRecord>> {
    const readFor = await queueOf(args.file ?? [], flags, this.jsonEnabled() ? null : (line) => this.log('%s', line));
    const { submissionWarnings } = await import('../src/app/missions/submit.js');
    const { queueWarnings } = await import('../src/app/missions/lease.js');
    const onQueued = (queued: MissionRecord): void => this.remark(queued.state === 'queued' ? submissionWarnings(queued) : []);
    const { 'request-id': requestId, as: actor } = flags;
    return this.withHome(async (home) => {
      const read = await readFor(home);
      const how = { actor, waits: flags.wait ?? true, visible: !this.jsonEnabled() };
      if (flags.execute) return queueAndExecute(home, { ...read, ...how, requestId, onQueued });
      const queued = await read.queue(home, requestId, actor);
      if (queued.state !== 'queued') return queued;
      onQueued(queued);
      this.remark(queueWarnings(home, queued.id));
      return queued;
    });
  }

  protected present = missionLines;
}
