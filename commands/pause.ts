import { actorFlag, AgentCommand } from '../src/cli/command.js';
import type { ControlReport } from '../src/app/home/control.js';

export default class Pause extends AgentCommand<ControlReport> {
  static override description = 'Stop execution and review until resume; persists across restarts.';
  static override examples = ['<%= config.bin %> pause'];
  static override flags = { as: actorFlag };

  protected async act(): Promise<ControlReport> {
    const { flags } = await this.parse(Pause);
    const { pause } = await import('../src/app/home/control.js');
    return this.withHome(flags.home, (home) => pause(home, flags.as));
  }

  protected present({ state }: ControlReport): readonly string[] {
    return [state];
  }
}
