import type { InitReport } from '../src/app/home/init.js';
import { AgentCommand } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import { paint } from '../src/cli/text.js';

export default class Init extends AgentCommand<InitReport> {
  static override description = `Create a private home: identity key, access token, configuration and journal.
The directory must not exist, or be empty; it is never shared with other files.`;
  static override examples = ['<%= config.bin %> init', '<%= config.bin %> --home ~/agent init'];

  protected async act(): Promise<InitReport> {
    const world = await this.world();
    const { initHome } = await import('../src/app/home/init.js');
    return initHome(world);
  }

  protected present(report: InitReport): readonly string[] {
    return [
      `${paint.out('green', '✓')} home created`,
      ...pairs([
        ['home', report.home],
        ['public key', report.public_key],
        ['token file', report.token_file],
      ]),
      ...(report.witness_fault === null
        ? []
        : [`${paint.out('yellow', '!')} the witness file could not be written (${report.witness_fault})`]),
      '',
      'next: agent-cli examples --output missions',
    ];
  }
}
