import { Args, Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { verdictLines } from '../src/cli/transfer.js';
import type { TransferVerdict } from '../src/app/transfer/verify.js';

export default class TransferVerify extends AgentCommand<TransferVerdict> {
  static override description =
    'Compute every number of a transfer run or of a docket again, and compare. It needs no home, identity or provider.';
  static override examples = [
    '<%= config.bin %> transfer-verify run.json',
    '<%= config.bin %> transfer-verify docket.zip',
    '<%= config.bin %> transfer-verify run.json --note run.json.note --public-key HEX',
  ];
  static override args = {
    file: Args.string({ description: 'a run, a reviewed run or a docket, also of the Python agent', required: true }),
  };
  static override flags = {
    note: Flags.string({ description: 'the signed note of the run; goes with --public-key', helpValue: 'FILE' }),
    'public-key': Flags.string({
      description: '64 hexadecimal digits, from a source that you trust; goes with --note',
      helpValue: 'HEX',
    }),
  };

  protected async act({ args, flags }: ParsedInput<typeof TransferVerify>): Promise<TransferVerdict> {
    const { transferVerify } = await import('../src/app/transfer/verify.js');
    return this.judged(await transferVerify({ file: args.file, note: flags.note, publicKey: flags['public-key'] }));
  }

  protected present = verdictLines;
}
