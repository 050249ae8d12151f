import { Args, Flags } from '@oclif/core';
import type { ProofVerdict } from '../src/app/exports/verify-proof.js';
import { printable } from '../src/base/text.js';
import { AgentCommand, type ParsedInput, publicKeyFlag } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import { paint } from '../src/cli/text.js';

export default class VerifyProof extends AgentCommand<ProofVerdict> {
  static override description =
    'Verify a proof of an entry, or of growth since an older checkpoint, with the key of the log. It needs no home.';
  static override examples = [
    '<%= config.bin %> verify-proof entry-5.tlog-proof --public-key HEX --export result.export.json',
    '<%= config.bin %> verify-proof entry-5.tlog-proof --vkey NAME+ID+KEY --entry HASH:SIGNATURE',
    '<%= config.bin %> verify-proof growth.txt --public-key HEX --against checkpoint.txt',
  ];
  static override args = { file: Args.string({ description: 'what proof wrote', required: true }) };
  static override flags = {
    'public-key': Flags.string(publicKeyFlag),
    vkey: Flags.string({
      description: 'in place of --public-key: the verifier key that checkpoint prints, which also fixes the origin',
      helpValue: 'VKEY',
    }),
    entry: Flags.string({ description: 'for a proof of an entry: its hash and signature', helpValue: 'HASH:SIGNATURE' }),
    export: Flags.string({ description: 'for a proof of an entry: an export that holds it', helpValue: 'FILE' }),
    leaf: Flags.string({ description: 'for a proof of an entry: its leaf hash, as in a tile of level 0', helpValue: 'HEX' }),
    against: Flags.string({ description: 'for a proof of growth: the older checkpoint', helpValue: 'FILE' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof VerifyProof>): Promise<ProofVerdict> {
    const { verifyProof } = await import('../src/app/exports/verify-proof.js');
    const { vkey, entry, leaf, against } = flags;
    const asked = { file: args.file, publicKey: flags['public-key'], vkey, entry, leaf, export: flags.export, against };
    return this.judged(await verifyProof(asked));
  }

  protected present({ valid, origin, size, root, index, from, reason }: ProofVerdict): readonly string[] {
    const lines = pairs([
      ['origin', printable(origin)],
      ['size', String(size)],
      ['root', root],
      ['entry', index === null ? null : String(index + 1)],
      ['grown from', from === null ? null : String(from)],
      ['reason', reason === null ? null : printable(reason)],
    ]);
    return [valid ? paint.out('green', '✓ valid') : paint.out('red', '✗ not valid'), ...lines];
  }
}
