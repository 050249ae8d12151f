import { AgentCommand } from '../../src/cli/command.js';
import { jsonOn } from '../../src/cli/output.js';

export default class ConfigShow extends AgentCommand<unknown> {
  static override description = 'Print the configuration in force.';
  static override examples = ['<%= config.bin %> config show'];

  protected async act(): Promise<unknown> {
    const { configOf } = await import('../../src/app/control/control.js');
    return this.withHome(configOf);
  }

  protected present(config: unknown): readonly string[] {
    return [jsonOn(process.stdout, config, 2)];
  }
}
