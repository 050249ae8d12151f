import { setTimeout as wait } from 'node:timers/promises';
import { Args, Flags } from '@oclif/core';
import type { ConfigureReport } from '../../src/app/control/control.js';
import { RefusalError } from '../../src/base/refusal.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';

const retry_ms = 500;

export default class ConfigSet extends AgentCommand<ConfigureReport> {
  static override description = `Change members of the configuration, all of them at once.
Pause, configuration and resume are one step; a paused home stays paused. The command is refused while missions execute, because another
configuration would fail them.`;
  static override examples = [
    '<%= config.bin %> config set allow_code_execution=true',
    '<%= config.bin %> config set llm_url=http://127.0.0.1:8080/v1 llm_model=small llm_timeout=60',
  ];
  static override args = {
    pairs: Args.string({ description: 'name=value; the value is JSON, or else text', required: true, multiple: true }),
  };
  static override flags = {
    wait: Flags.boolean({ description: 'wait until no mission executes' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof ConfigSet>): Promise<ConfigureReport> {
    const [{ setConfig }, { executingMissions }] = await Promise.all([
      import('../../src/app/control/control.js'),
      import('../../src/app/missions/ownership.js'),
    ]);
    for (;;) {
      try {
        return await this.withHome((home) => setConfig(home, args.pairs, flags.as, executingMissions));
      } catch (error) {
        if (!flags.wait || !(error instanceof RefusalError) || error.refusal.facts?.['executing'] === undefined) throw error;
        await wait(retry_ms);
      }
    }
  }

  protected present({ changed, config_hash, state }: ConfigureReport): readonly string[] {
    return [
      changed.length === 0 ? 'nothing changed' : `changed: ${changed.join(', ')}`,
      `hash: ${config_hash}`,
      ...(state === 'paused' ? ['next: agent-cli resume'] : []),
    ];
  }
}
