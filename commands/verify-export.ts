import { Args, Flags } from '@oclif/core';
import type { ExportVerdict } from '../src/app/exports/verify-export.js';
import { printable } from '../src/base/text.js';
import { AgentCommand } from '../src/cli/command.js';
import { paymentText } from '../src/cli/invoices.js';
import { withProgress } from '../src/cli/progress.js';
import { known, pairs } from '../src/cli/table.js';
import { paint } from '../src/cli/text.js';

export default class VerifyExport extends AgentCommand<ExportVerdict> {
  static override description = 'Verify an export offline, with only the file and the public key. It needs no home.';
  static override examples = ['<%= config.bin %> verify-export result.export.json --public-key HEX --recompute'];
  static override args = { file: Args.string({ description: 'an export, or - for standard input', required: true }) };
  static override streams = ['file'];
  static override flags = {
    'public-key': Flags.string({
      description: '64 hexadecimal digits, from a source that you trust',
      required: true,
      helpValue: 'HEX',
    }),
    recompute: Flags.boolean({ allowNo: true, description: 'compute any result again, byte for byte; by default cheap ones' }),
    against: Flags.string({ description: 'a checkpoint file of the same log', helpValue: 'FILE' }),
  };

  private asked: { readonly recompute?: boolean | undefined; readonly against?: string | undefined } = {};

  protected async act(): Promise<ExportVerdict> {
    const { args, flags } = await this.parse(VerifyExport);
    this.asked = flags;
    const { verifyExport } = await import('../src/app/exports/verify-export.js');
    const { recompute, against, 'public-key': publicKey } = flags;
    const asked = { env: process.env, file: args.file, publicKey, recompute, against };
    const verdict = await withProgress(!this.jsonEnabled(), (update) =>
      verifyExport({ ...asked, onProgress: (done) => update('recompute', done) }),
    );
    if (!verdict.valid) this.answerNo('verification_failed');
    return verdict;
  }

  protected present(verdict: ExportVerdict): readonly string[] {
    const mark = verdict.valid ? paint.out('green', '✓ valid') : paint.out('red', '✗ not valid');
    const { proof, newest, settlement, reason, recomputed, against, mission, hash, identity } = verdict;
    const place = proof === null ? 'none' : `in the log of ${proof.size} entries, root ${proof.root.slice(0, 16)}`;
    const all: readonly (readonly [string, string | null])[] = [
      ['identity', identity],
      ['mission', mission === '' ? null : mission],
      ['hash', hash],
      ['proof', proof === null && !verdict.valid ? null : place],
      ['newest', newest === undefined ? null : `the last of ${newest.count} entries of the mission in that log`],
      ['settlement', settlement === undefined ? null : paymentText(settlement)],
      ['recomputed', recomputed === null ? (this.asked.recompute === true ? 'not known' : null) : recomputed ? 'yes' : 'no'],
      [
        'against',
        this.asked.against !== undefined ? (against === null ? 'another size or origin: nothing to compare' : 'agrees') : null,
      ],
      ['reason', reason === null ? null : printable(reason)],
    ];
    return [mark, ...pairs(known(all))];
  }
}
