import type { Control } from '../src/codec/api-status.js';
import { actorFlag, AgentCommand, type ParsedInput, stopsWork } from '../src/cli/command.js';

export default class Pause extends AgentCommand<Control> {
  static override description = 'Stop execution and review until you run resume. A pause survives restarts.';
  static override examples = ['<%= config.bin %> pause'];
  static override flags = { as: actorFlag };

  protected async act({ flags }: ParsedInput<typeof Pause>): Promise<Control> {
    const { pause } = await import('../src/app/control/control.js');
    return this.withHome((home) => pause(home, flags.as), stopsWork);
  }

  protected present({ state }: Control): readonly string[] {
    return [state];
  }
}
