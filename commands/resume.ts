import type { Control } from '../src/codec/api-status.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';

export default class Resume extends AgentCommand<Control> {
  static override description = 'Allow execution and review again.';
  static override examples = ['<%= config.bin %> resume'];
  static override flags = { as: actorFlag };

  protected async act({ flags }: ParsedInput<typeof Resume>): Promise<Control> {
    const { resume } = await import('../src/app/control/control.js');
    return this.withHome((home) => resume(home, flags.as));
  }

  protected present({ state }: Control): readonly string[] {
    return [state];
  }
}
