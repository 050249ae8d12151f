import { Args } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import type { Shell } from '../src/cli/completion.js';
import { calledAs } from '../src/cli/text.js';

interface Completion {
  readonly shell: Shell;
  readonly script: string;
}

export default class CompletionCommand extends AgentCommand<Completion> {
  static override description = 'Print a script that completes commands, flags, values and files in your shell.';
  static override examples = [
    'source <(<%= config.bin %> completion bash)',
    'source <(<%= config.bin %> completion zsh)',
    '<%= config.bin %> completion fish | source',
  ];
  static override args = {
    shell: Args.custom<Shell>({ description: 'the shell', options: ['bash', 'zsh', 'fish'] })({ required: true }),
  };

  protected async act({ args }: ParsedInput<typeof CompletionCommand>): Promise<Completion> {
    const { completionScript } = await import('../src/cli/completion.js');
    const { bin, binAliases = [] } = this.config;
    const program = calledAs(bin, this.id).bin;
    return { shell: args.shell, script: completionScript(args.shell, [bin, ...binAliases], program) };
  }

  protected present({ script }: Completion): readonly string[] {
    return [script.trimEnd()];
  }
}
