import { Args, Flags } from '@oclif/core';
import type { BackupReport } from '../src/app/backup/backup.js';
import { newPassphrase, passphraseFile, passphraseFileWarnings, strictFiles } from '../src/cli/ask.js';
import { archiveLines } from '../src/cli/backup.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';

export default class Backup extends AgentCommand<BackupReport> {
  static override description = `Write the home into a new private archive: key, token, configuration and journal.
Whoever has the archive can sign in this agent's name. A journal beyond 256 MiB becomes a series: NAME.001.zip, NAME.002.zip and so on.
With --encrypt the archive is NAME.zip.age, which the tool age reads too (age --decrypt); without the passphrase nobody can read it again.`;
  static override examples = [
    '<%= config.bin %> backup agent-backup.zip',
    '<%= config.bin %> backup agent-backup.zip --encrypt',
    '<%= config.bin %> backup agent-backup.zip --encrypt --passphrase-file passphrase.txt',
  ];
  static override args = { archive: Args.string({ description: 'a file that must not exist', required: true }) };
  static override flags = {
    encrypt: Flags.boolean({ description: 'encrypt the archive with a passphrase, which you type twice' }),
    'passphrase-file': Flags.string({ ...passphraseFile, dependsOn: ['encrypt'] }),
    'strict-files': Flags.boolean(strictFiles),
  };

  protected async act({ args, flags }: ParsedInput<typeof Backup>): Promise<BackupReport> {
    this.remark(passphraseFileWarnings(flags['passphrase-file'], flags['strict-files']));
    const [{ backupHome }, passphrase] = await Promise.all([
      import('../src/app/backup/backup.js'),
      flags.encrypt ? newPassphrase(flags['passphrase-file']) : undefined,
    ]);
    return withProgress(!this.jsonEnabled(), (onProgress) =>
      this.withHome((home) => backupHome(home, args.archive, { onProgress, passphrase })),
    );
  }

  protected present = archiveLines;
}
