import { Args, Flags } from '@oclif/core';
import type { ExportVerdict } from '../src/app/exports/verify-export.js';
import { AgentCommand, type ParsedInput, publicKeyFlag } from '../src/cli/command.js';
import { type VerifyRequest, demandFlags, exportLines } from '../src/cli/export-lines.js';
import { withProgress } from '../src/cli/progress.js';

export default class VerifyExport extends AgentCommand<ExportVerdict> {
  static override description =
    `Verify an export, or the HTML report that holds one, offline, with only the file and the public key. It needs no home.
For a report, it also checks that the text is, byte for byte, what the export in it gives.`;
  static override examples = [
    '<%= config.bin %> verify-export result.export.json --public-key HEX --recompute',
    '<%= config.bin %> verify-export result.export.json --public-key HEX --source sales.csv',
    '<%= config.bin %> verify-export result.export.json --public-key HEX --approver alice=alice.pub --approvals-required 1',
    '<%= config.bin %> verify-export report.html --public-key HEX',
  ];
  static override args = {
    file: Args.string({ description: 'an export or an HTML report, or - for standard input', required: true }),
  };
  static override streams = ['file'];
  static override flags = {
    'public-key': Flags.string({ ...publicKeyFlag, required: true }),
    recompute: Flags.boolean({
      allowNo: true,
      description: 'compute a result of any kind again, byte for byte (default: research and forecasts only)',
    }),
    against: Flags.string({ description: 'a checkpoint file of the same log', helpValue: 'FILE' }),
    ...demandFlags,
  };

  private asked: VerifyRequest = {};

  protected async act({ args, flags }: ParsedInput<typeof VerifyExport>): Promise<ExportVerdict> {
    this.asked = flags;
    const { verifyExport } = await import('../src/app/exports/verify-export.js');
    const { recompute, against, 'public-key': publicKey } = flags;
    const source = flags.source === undefined ? undefined : await filesOf(flags.source);
    const { approver: approvers, 'approvals-required': approvalsRequired } = flags;
    const asked = { env: process.env, file: args.file, publicKey, recompute, against, source, approvers, approvalsRequired };
    const verdict = await withProgress(!this.jsonEnabled(), (update) =>
      verifyExport({ ...asked, onProgress: (done) => update('recompute', done) }),
    );
    if (verdict.source === null || verdict.report === null) this.answerNo('engine_unavailable');
    if (verdict.source === false) this.answerNo('verification_failed');
    return this.judged(verdict);
  }

  protected present(verdict: ExportVerdict): readonly string[] {
    return exportLines(verdict, this.asked);
  }
}

const filesOf = async (named: readonly string[]) => (await import('../src/app/intake/input.js')).inputFiles(named);
