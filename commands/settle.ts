import { Flags } from '@oclif/core';
import type { SettleReport } from '../src/codec/api-invoices.js';
import { actorFlag, AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { settleLines } from '../src/cli/invoices.js';

const choice = { exactlyOne: ['transaction', 'find'] };

export default class Settle extends AgentCommand<SettleReport> {
  static override description =
    `Verify on the chain that a mission's invoice was paid, and record the receipt. Nothing is sent to the chain.
Exits with 0 when the payment is settled, now or before; with 6 when it is not confirmed yet; with 1 when it is refused. With 6 and 1 nothing is recorded.`;
  static override examples = [
    '<%= config.bin %> settle 0f8fad5b-d9cb-469f-a165-70867728950e --transaction 0x9a…4e --log-index 3',
    '<%= config.bin %> settle 0f8fad5b-d9cb-469f-a165-70867728950e --find 0x9a…4e',
  ];
  static override args = { mission: missionArg };
  static override flags = {
    transaction: Flags.string({
      description: 'the hash of the paying transaction',
      helpValue: '0x…',
      ...choice,
      dependsOn: ['log-index'],
    }),
    'log-index': Flags.integer({
      description: 'the index of the transfer among all logs of the block',
      helpValue: 'N',
      dependsOn: ['transaction'],
    }),
    find: Flags.string({
      description: 'the hash of the paying transaction, whose one matching log is found',
      helpValue: '0x…',
      ...choice,
    }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof Settle>): Promise<SettleReport> {
    const { settle } = await import('../src/app/invoices/settle.js');
    const transaction = flags.transaction ?? flags.find ?? '';
    const options = { transaction, log_index: flags['log-index'], actor: flags.as };
    const report = await this.withMission(args.mission, (home, id) => settle(home, id, options));
    if (report.outcome !== 'settled') this.answerNo(report.outcome === 'not_yet' ? 'not_yet' : 'settlement_refused');
    return report;
  }

  protected present = settleLines;
}
