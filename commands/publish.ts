import { Args } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import { pairs } from '../src/cli/table.js';
import type { PublishReport } from '../src/app/log/publish.js';

export default class Publish extends AgentCommand<PublishReport> {
  static override description =
    'Write the log as plain files for any web server: signed checkpoint, tree and hashes of entries, but not their contents.';
  static override examples = ['<%= config.bin %> publish /srv/www/log', '<%= config.bin %> publish /srv/www/log --json'];
  static override args = {
    directory: Args.string({ description: 'created if missing; only new files are added to it', required: true }),
  };

  protected async act({ args }: ParsedInput<typeof Publish>): Promise<PublishReport> {
    const { publish } = await import('../src/app/log/publish.js');
    return withProgress(!this.jsonEnabled(), (update) => {
      const onProgress = (done: number, total: number): void => update('publish', done / total);
      return this.withHome((home) => publish(home, { directory: args.directory, onProgress }));
    });
  }

  protected present({ directory, origin, size, root, written, kept, cosignatures }: PublishReport): readonly string[] {
    return [
      ...pairs([
        ['directory', directory],
        ['origin', origin],
        ['size', String(size)],
        ['root', root],
        ['files', `${written} written, ${kept} kept`],
        ['cosigned', cosignatures.length === 0 ? 'by no witness' : cosignatures.join(', ')],
      ]),
    ];
  }
}
