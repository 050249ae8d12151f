import { Flags } from '@oclif/core';
import { damageFaults, type Home } from '../src/app/home/home.js';
import { wrap } from '../src/base/text.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import { paint, width } from '../src/cli/text.js';
import type { DoctorReport } from '../src/codec/api-status.js';

const marks = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const;

export default class Doctor extends AgentCommand<DoctorReport> {
  static override description = `Inspect the home: journal, configuration, witness, control state, capabilities.
A home that an older version wrote is not upgraded: doctor tries that on a copy, and says what it changes and what to do first.`;
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json', '<%= config.bin %> doctor --probe'];
  static override flags = {
    probe: Flags.boolean({ description: 'check that the configured provider lists the model' }),
  };

  protected async act({ flags }: ParsedInput<typeof Doctor>): Promise<DoctorReport> {
    const { doctor } = await import('../src/app/operator/doctor.js');
    const { withProbe } = await import('../src/app/operator/doctor.js');
    const inspect = async (home: Home): Promise<DoctorReport> => {
      const report = await doctor(home);
      return flags.probe ? await withProbe(home, report) : report;
    };
    const tolerate = ['config', 'witness', 'permissions', ...damageFaults] as const;
    const report = await this.withHome(inspect, { tolerate, triesUpgrade: true });
    if (report.checks.some((check) => check.status === 'fail')) this.answerNo('integrity');
    return report;
  }

  protected present(report: DoctorReport): readonly string[] {
    return [
      ...pairs([
        ['version', report.version],
        ['identity', report.identity],
        ['public key', report.public_key],
        ['head', `${report.events}:${report.head.slice(0, 16)}`],
        ['control', report.control],
      ]),
      '',
      ...report.checks.flatMap(({ name, status, detail, fix }) => {
        const [colour, mark] = marks[status];
        const [first, ...more] = wrap(detail, width() - 17);
        const lines = [`${paint.out(colour, mark)} ${name.padEnd(14)} ${first}`, ...more.map((line) => ' '.repeat(17) + line)];
        return fix === null || status === 'ok' ? lines : [...lines, `    → ${fix}`];
      }),
      '',
      ...report.capabilities.flatMap(({ kind, available, detail }) => {
        // What is switched off is not a fault; a check above warns of what is switched on and cannot work.
        const mark = available ? paint.out('green', '✓') : paint.out('grey', '-');
        const [first, ...more] = wrap(detail, width() - 17);
        return [`${mark} ${kind.padEnd(14)} ${first}`, ...more.map((line) => ' '.repeat(17) + line)];
      }),
    ];
  }
}
