import { AgentCommand } from '../src/cli/command.js';
import { completedIds, directories_line, files_line, offerFor } from '../src/cli/completion.js';

interface CompletionLines {
  readonly lines: readonly string[];
}

export default class Complete extends AgentCommand<CompletionLines> {
  static override description = 'Print what may stand in place of the last word, for the completion scripts.';
  static override hidden = true;
  static override strict = false;
  static override examples = ['<%= config.bin %> complete -- show 6f'];

  protected async act(): Promise<CompletionLines> {
    // oclif drops the last word if it is `--`.
    const words = this.argv.slice(this.argv.indexOf('--') + 1);
    const { lines: offered, prefix, home } = offerFor(words, this.config.bin, this.config.commands);
    if (offered === 'files') return { lines: [files_line] };
    if (offered === 'directories') return { lines: [directories_line] };
    this.home = home;
    const lines =
      typeof offered === 'string' ? await this.withHome((opened) => completedIds(opened, offered), { onlyReads: true }) : offered;
    return { lines: lines.map((line) => prefix + line) };
  }

  protected present({ lines }: CompletionLines): readonly string[] {
    return lines;
  }
}
