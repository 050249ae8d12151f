import { Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { endWithOutput } from '../src/cli/hangup.js';
import { ownOutput } from '../src/cli/output.js';
import { endingSignal } from '../src/cli/serve.js';
import { printWarnings } from '../src/cli/warnings.js';

/** How long a client may take the last answers after a signal to end. */
const last_answers_ms = 1_000;

export default class Mcp extends AgentCommand<void> {
  static override description = `Serve an AI assistant over standard input and output, by the Model Context Protocol.
The assistant drafts and queues missions and reads approved results; it can approve, pay and control nothing. Programs such as Claude Code start this command; docs/assistants.md has their settings.`;
  static override examples = ['<%= config.bin %> mcp', '<%= config.bin %> mcp --as claude --allow-dir ~/work/data'];
  static override enableJsonFlag = false;
  static override flags = {
    as: Flags.string({
      description: 'the name of the assistant; recorded in the events',
      default: 'assistant',
      helpValue: 'NAME',
    }),
    'may-execute': Flags.boolean({ description: 'let it also have missions executed, one at a time, by the daemon' }),
    'allow-dir': Flags.string({
      description: 'a directory whose files may be read for missions of the assistant; without it, no files are read',
      multiple: true,
      helpValue: 'DIR',
    }),
  };

  protected async act({ flags }: ParsedInput<typeof Mcp>): Promise<void> {
    const { serveLocal } = await import('../src/mcp/local.js');
    endWithOutput();
    const ending = endingSignal();
    await serveLocal(
      {
        name: flags.as,
        directories: flags['allow-dir'] ?? [],
        mayExecute: flags['may-execute'],
        world: await this.world(),
        withHome: (use) => this.withHome(use, { via: 'mcp' }),
        input: process.stdin,
        ...ownOutput(),
        onFault: (error) => printWarnings([error instanceof Error ? (error.stack ?? error.message) : String(error)]),
      },
      ending,
    );
    // Answers that the client does not read would keep the process alive.
    if (ending.aborted) setTimeout(() => process.exit(), last_answers_ms).unref();
  }

  protected present(): readonly string[] {
    return [];
  }
}
