import { Args } from '@oclif/core';
import { unwrap } from '../src/base/result.js';
import { AgentCommand } from '../src/cli/command.js';
import { paint } from '../src/cli/paint.js';
import { withProgress } from '../src/cli/progress.js';
import { pairs } from '../src/cli/table.js';
import type { BackupReport } from '../src/app/backup/backup.js';

export default class Backup extends AgentCommand<BackupReport> {
  static override description = `Write the home into a new private archive: key, token, configuration and journal.
Whoever has the archive can sign in this agent's name. A journal beyond 256 MiB becomes a series NAME.001.zip, NAME.002.zip, …`;
  static override examples = ['<%= config.bin %> backup agent-backup.zip'];
  static override args = { archive: Args.string({ description: 'a file that must not exist', required: true }) };

  protected async act(): Promise<BackupReport> {
    const { args, flags } = await this.parse(Backup);
    const { backupHome } = await import('../src/app/backup/backup.js');
    return withProgress(!this.jsonEnabled(), (onProgress) =>
      this.withHome(flags.home, async (home) => unwrap(await backupHome(home, args.archive, { onProgress }))),
    );
  }

  protected present(report: BackupReport): readonly string[] {
    const paths = report.paths ?? [report.path ?? ''];
    return [
      `${paint.out('green', '✓')} the home was backed up; the archive holds the private key, keep it as you keep the home`,
      ...pairs([
        ...paths.map((path, i) => [i === 0 ? 'archive' : '', path] as const),
        ['sha256', report.sha256],
        ['bytes', String(report.bytes)],
        ['head', `${report.events}:${report.head.slice(0, 16)}`],
        ['root', report.root],
      ]),
      ...report.warnings.map((warning) => `${paint.out('yellow', '!')} ${warning}`),
    ];
  }
}
