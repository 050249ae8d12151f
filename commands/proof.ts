import { Args, Flags } from '@oclif/core';
import { invalid, RefusalError } from '../src/base/refusal.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import type { ProofReport } from '../src/app/log/checkpoint.js';

/** Parses a sequence. oclif's own integer argument throws a plain error, which would count as a fault. */
function sequenceArg(input: string): Promise<number> {
  if (/^-?[0-9]{1,15}$/.test(input)) return Promise.resolve(Number(input));
  throw new RefusalError(invalid('sequence', 'must be a whole number, at least 1'));
}

export default class Proof extends AgentCommand<ProofReport> {
  static override description =
    'Prove that an entry is in the log, or with --from that the log only grew since an older checkpoint.';
  static override examples = [
    '<%= config.bin %> proof 5 --output entry-5.tlog-proof',
    '<%= config.bin %> proof --from 3 --output growth.txt',
  ];
  static override args = {
    sequence: Args.custom<number>({ parse: sequenceArg })({ description: 'the sequence of an entry, from 1' }),
  };
  static override flags = {
    from: Flags.integer({ description: 'the size of an older checkpoint', helpValue: 'SIZE' }),
    output: Flags.string({ description: 'a file that must not exist', helpValue: 'FILE' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof Proof>): Promise<ProofReport> {
    const { prove } = await import('../src/app/log/checkpoint.js');
    const asked = { sequence: args.sequence, from: flags.from, output: flags.output };
    return this.withHome((home) => prove(home, asked));
  }

  protected present({ proof, output }: ProofReport): readonly string[] {
    return output === null ? [proof.trimEnd()] : [`written to ${output}`];
  }
}
