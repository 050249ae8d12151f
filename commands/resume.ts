import { actorFlag, AgentCommand } from '../src/cli/command.js';
import type { ControlReport } from '../src/app/home/control.js';

export default class Resume extends AgentCommand<ControlReport> {
  static override description = 'Allow execution and review again.';
  static override examples = ['<%= config.bin %> resume'];
  static override flags = { as: actorFlag };

  protected async act(): Promise<ControlReport> {
    const { flags } = await this.parse(Resume);
    const { resume } = await import('../src/app/home/control.js');
    return this.withHome(flags.home, (home) => resume(home, flags.as));
  }

  protected present({ state }: ControlReport): readonly string[] {
    return [state];
  }
}
