import { Args } from '@oclif/core';
import type { WorkerKeyRecord } from '../../src/app/workers/register.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { workerKeyLines } from '../../src/cli/worker.js';

export default class WorkerKeyRemove extends AgentCommand<WorkerKeyRecord | null> {
  static override description = 'Accept no more results of a worker.';
  static override examples = ['<%= config.bin %> worker-key remove KEY'];
  static override args = { key: Args.string({ description: "the worker's public key", required: true }) };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof WorkerKeyRemove>): Promise<WorkerKeyRecord | null> {
    const { removeWorkerKey } = await import('../../src/app/workers/register.js');
    return this.withHome((home) => removeWorkerKey(home, args.key, flags.as));
  }

  protected present(record: WorkerKeyRecord | null): readonly string[] {
    return workerKeyLines(record === null ? [] : [record]);
  }
}
