import { Args, Flags } from '@oclif/core';
import { RefusalError } from '../src/base/refusal.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import type { WithWarnings } from '../src/cli/warnings.js';
import type { ConfigureReport } from '../src/app/control/control.js';

type Answer = WithWarnings<Partial<ConfigureReport> & { readonly config_hash: string }>;

export default class Configure extends AgentCommand<Answer> {
  static override description =
    'Replace the whole configuration, while paused; or write the signed one back after an edit or a crash.';
  static override examples = ['<%= config.bin %> configure config.json', '<%= config.bin %> configure --restore-signed'];
  static override args = { file: Args.string({ description: 'a configuration file (JSON), or - for standard input' }) };
  static override streams = ['file'];
  static override flags = {
    'restore-signed': Flags.boolean({ description: 'write the text of the configuration in force back to config.json' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof Configure>): Promise<Answer> {
    const { configure, restoreSignedConfig } = await import('../src/app/control/control.js');
    const { file } = args;
    if (flags['restore-signed'] && file === undefined) {
      return this.withHome(restoreSignedConfig, { tolerate: ['config', 'witness'], onDamage: 'works' });
    }
    if (file === undefined || flags['restore-signed'])
      throw new RefusalError('invalid', 'give a configuration file, or --restore-signed');
    return this.withHome((home) => configure(home, file, flags.as));
  }

  protected present({ changed, config_hash }: Answer): readonly string[] {
    if (changed === undefined) return [`config.json is again the signed configuration ${config_hash}`];
    return [
      changed.length === 0 ? 'nothing changed' : `changed: ${changed.join(', ')}`,
      `hash: ${config_hash}`,
      'next: agent-cli resume',
    ];
  }
}
