import { Args, Flags } from '@oclif/core';
import type { WorkerKeyRecord } from '../../src/app/workers/register.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { workerKeyLines } from '../../src/cli/worker.js';

export default class WorkerKeyAdd extends AgentCommand<WorkerKeyRecord | null> {
  static override description = `Accept the results of a worker on another machine. The worker prints its key at its start.
Once a key was added, results of other keys do not count, on this machine either. A worker whose result was wrong is used again only
after its key was added again.`;
  static override examples = ['<%= config.bin %> worker-key add KEY --name rack-1'];
  static override args = { key: Args.string({ description: "the worker's public key, 64 hexadecimal digits", required: true }) };
  static override flags = {
    name: Flags.string({ description: 'the name that it has here', required: true, helpValue: 'NAME' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof WorkerKeyAdd>): Promise<WorkerKeyRecord | null> {
    const { addWorkerKey } = await import('../../src/app/workers/register.js');
    return this.withHome((home) => addWorkerKey(home, args.key, flags.name, flags.as));
  }

  protected present(record: WorkerKeyRecord | null): readonly string[] {
    return workerKeyLines(record === null ? [] : [record]);
  }
}
