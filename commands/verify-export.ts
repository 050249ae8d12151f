import { Args, Flags } from '@oclif/core';
import { unwrap } from '../src/base/result.js';
import { AgentCommand } from '../src/cli/command.js';
import { paint } from '../src/cli/paint.js';
import { progress } from '../src/cli/progress.js';
import { pairs } from '../src/cli/render.js';
import { printable } from '../src/cli/text.js';
import type { ExportVerdict } from '../src/app/verify-export.js';

export default class VerifyExport extends AgentCommand<ExportVerdict> {
  static override description = 'Verify an export offline, with the file and the public key alone. It needs no home.';
  static override examples = ['<%= config.bin %> verify-export result.export.json --public-key HEX --recompute'];
  static override args = { file: Args.string({ description: 'an export', required: true }) };
  static override flags = {
    'public-key': Flags.string({
      description: '64 hexadecimal digits, from a source that you trust',
      required: true,
      helpValue: 'HEX',
    }),
    recompute: Flags.boolean({ description: 'run the engine again and compare the result byte for byte' }),
    against: Flags.string({ description: 'a checkpoint file of the same log', helpValue: 'FILE' }),
  };

  private asked = { recompute: false, against: false };

  protected async act(): Promise<ExportVerdict> {
    const { args, flags } = await this.parse(VerifyExport);
    this.asked = { recompute: flags.recompute, against: flags.against !== undefined };
    const { verifyExport } = await import('../src/app/verify-export.js');
    const bar = progress(!this.jsonEnabled());
    const { recompute, against } = flags;
    const onProgress = (done: number): void => bar.update('recompute', done);
    const verdict = unwrap(
      await verifyExport({ file: args.file, publicKey: flags['public-key'], recompute, against, onProgress }),
    );
    bar.end();
    if (!verdict.valid) this.answerNo('verification_failed');
    return verdict;
  }

  protected present(verdict: ExportVerdict): readonly string[] {
    const mark = verdict.valid ? paint.out('green', '✓ valid') : paint.out('red', '✗ not valid');
    const { proof, reason, recomputed, against, mission, hash, identity } = verdict;
    const answer = (value: boolean | null): string => (value === null ? 'not known' : value ? 'yes' : 'no');
    const place = proof === null ? 'none' : `in the log of ${proof.size} entries, root ${proof.root.slice(0, 16)}`;
    return [
      mark,
      ...pairs([
        ['identity', identity],
        ['mission', mission],
        ['hash', hash],
        ['proof', place],
        ...(this.asked.recompute ? [['recomputed', answer(recomputed)] as const] : []),
        ...(this.asked.against
          ? [['against', against === null ? 'another size or origin: nothing to compare' : 'agrees'] as const]
          : []),
        ...(reason === null ? [] : [['reason', printable(reason)] as const]),
      ]),
    ];
  }
}
