import { Args } from '@oclif/core';
import { AgentCommand } from '../src/cli/command.js';
import { completedIds, type IdList } from '../src/cli/completion-ids.js';

interface Ids {
  readonly ids: readonly string[];
}

export default class CompleteIds extends AgentCommand<Ids> {
  static override description = 'Print the newest ids of a kind, one per line, for the completion scripts.';
  static override hidden = true;
  static override examples = ['<%= config.bin %> complete-ids mission'];
  static override args = {
    kind: Args.custom<IdList>({ description: 'what has the ids', options: ['mission', 'run', 'invoice'] })({ required: true }),
  };

  protected async act(): Promise<Ids> {
    const { args, flags } = await this.parse(CompleteIds);
    return this.withHome(flags.home, async (home) => ({ ids: await completedIds(home, args.kind) }), { onlyReads: true });
  }

  protected present({ ids }: Ids): readonly string[] {
    return ids;
  }
}
