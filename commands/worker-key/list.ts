import type { WorkerKeyList as Keys } from '../../src/app/workers/register.js';
import { AgentCommand } from '../../src/cli/command.js';
import { workerKeyLines } from '../../src/cli/worker.js';

export default class WorkerKeyList extends AgentCommand<Keys> {
  static override description = 'List the keys of workers: active, removed, or refuted because a result was wrong.';
  static override examples = ['<%= config.bin %> worker-key list'];

  protected async act(): Promise<Keys> {
    const { listWorkerKeys } = await import('../../src/app/workers/register.js');
    return this.withHome(listWorkerKeys, { onlyReads: true });
  }

  protected present({ items }: Keys): readonly string[] {
    return workerKeyLines(items);
  }
}
