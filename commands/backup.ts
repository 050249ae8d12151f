import { Args } from '@oclif/core';
import { archiveLines } from '../src/cli/backup.js';
import { AgentCommand } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import type { BackupReport } from '../src/app/backup/backup.js';

export default class Backup extends AgentCommand<BackupReport> {
  static override description = `Write the home into a new private archive: key, token, configuration and journal.
Whoever has the archive can sign in this agent's name. A journal beyond 256 MiB becomes a series: NAME.001.zip, NAME.002.zip and so on.`;
  static override examples = ['<%= config.bin %> backup agent-backup.zip'];
  static override args = { archive: Args.string({ description: 'a file that must not exist', required: true }) };

  protected async act(): Promise<BackupReport> {
    const { args, flags } = await this.parse(Backup);
    const { backupHome } = await import('../src/app/backup/backup.js');
    return withProgress(!this.jsonEnabled(), (onProgress) =>
      this.withHome(flags.home, (home) => backupHome(home, args.archive, { onProgress })),
    );
  }

  protected present(report: BackupReport): readonly string[] {
    return archiveLines(report);
  }

  protected override warningsOf({ warnings }: BackupReport): readonly string[] {
    return warnings;
  }
}
