import { Flags } from '@oclif/core';
import { olderText } from '../src/cli/backup.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { reasonFlag } from '../src/cli/reason.js';
import type { RecoverHomeReport } from '../src/app/control/control.js';

export default class RecoverHome extends AgentCommand<RecoverHomeReport> {
  static override description =
    `Accept that the newest entries of this home are lost (a rollback or a fork that the witness shows).
An event names what is lost, the log goes on under a new origin, and the home is paused.`;
  static override examples = [
    '<%= config.bin %> recover-home --accept-rollback --reason "disk failure; restored yesterday\'s copy"',
  ];
  static override flags = {
    'accept-rollback': Flags.boolean({ description: 'continue with the older journal', required: true }),
    reason: Flags.string({ ...reasonFlag, required: true }),
    as: actorFlag,
  };

  protected async act({ flags }: ParsedInput<typeof RecoverHome>): Promise<RecoverHomeReport> {
    const { acceptRollback } = await import('../src/app/control/control.js');
    return this.withHome((home) => acceptRollback(home, flags.as, flags.reason), {
      tolerate: ['witness', 'config'],
      onDamage: 'works',
    });
  }

  protected present(report: RecoverHomeReport): readonly string[] {
    return [
      `entries up to ${report.from_size} are given up; the journal continues after ${report.to_size} as ${report.origin}`,
      'state: paused',
      `! ${olderText('this copy')}`,
      'next: agent-cli verify --deep',
      '  agent-cli resume',
    ];
  }
}
