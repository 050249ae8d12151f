import type { Control } from '../src/codec/api-status.js';
import { actorFlag, AgentCommand } from '../src/cli/command.js';

export default class Resume extends AgentCommand<Control> {
  static override description = 'Allow execution and review again.';
  static override examples = ['<%= config.bin %> resume'];
  static override flags = { as: actorFlag };

  protected async act(): Promise<Control> {
    const { flags } = await this.parse(Resume);
    const { resume } = await import('../src/app/control/control.js');
    return this.withHome(flags.home, (home) => resume(home, flags.as));
  }

  protected present({ state }: Control): readonly string[] {
    return [state];
  }
}
