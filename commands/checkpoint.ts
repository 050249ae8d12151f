import { Flags } from '@oclif/core';
import { unwrap } from '../src/base/result.js';
import { AgentCommand } from '../src/cli/command.js';
import type { CheckpointReport } from '../src/app/checkpoint.js';

export default class Checkpoint extends AgentCommand<CheckpointReport> {
  static override description =
    'Print the newest signed checkpoint. Keep it elsewhere: verify --against it notices entries that were cut off.';
  static override examples = ['<%= config.bin %> checkpoint --output checkpoint.txt'];
  static override flags = { output: Flags.string({ description: 'a file that must not exist', helpValue: 'FILE' }) };

  protected async act(): Promise<CheckpointReport> {
    const { flags } = await this.parse(Checkpoint);
    const { checkpoint } = await import('../src/app/checkpoint.js');
    return this.withHome(flags.home, (home) => unwrap(checkpoint(home, flags.output)));
  }

  protected present({ note, vkey, output }: CheckpointReport): readonly string[] {
    return output === null ? [note.trimEnd(), '', `verifier key: ${vkey}`] : [`written to ${output}`, `verifier key: ${vkey}`];
  }
}
