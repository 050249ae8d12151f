/** The topic `agent` of a host: takes flags before the command, which oclif does not, as in `host agent --home DIR list`. */
import { Command, loadHelpClass } from '@oclif/core';
import { RefusalError } from '../base/refusal.js';
import { arrange } from './arrange.js';
import { reportFailure } from './failure.js';
import { hostTopic } from './text.js';
import { unknownCommand } from './usage.js';

export class AgentTopic extends Command {
  static override description = 'Plan and research under review, with a signed journal.';
  static override strict = false;

  override async run(): Promise<void> {
    const words = arrange(this.argv);
    const [first = '', second = ''] = words;
    const name = [`${first}:${second}`, first].find((id) => this.config.findCommand(hostTopic + id) !== undefined);
    if (first === '' || first.startsWith('-') || words.includes('--help')) await this.showHelp(words);
    else if (name !== undefined) await this.config.runCommand(hostTopic + name, words.slice(name.split(':').length));
    else {
      const known = this.config.commandIDs.filter((id) => id.startsWith(hostTopic)).map((id) => id.slice(hostTopic.length));
      throw new RefusalError(
        unknownCommand(
          words.filter((word) => !word.startsWith('-')),
          known,
        ),
      );
    }
  }

  private async showHelp(words: readonly string[]): Promise<void> {
    const Help = await loadHelpClass(this.config);
    await new Help(this.config).showHelp(['agent', ...words.filter((word) => !word.startsWith('-')), '--help']);
  }

  override catch(error: Error): Promise<void> {
    const bin = `${this.config.bin} agent`;
    reportFailure(error, { json: this.argv.includes('--json'), bin, help: 'agent-cli --help' });
    return Promise.resolve();
  }
}
