import { Args, Flags } from '@oclif/core';
import type { RestoreReport } from '../src/app/backup/restore.js';
import { confirm, passphraseFile, passphraseFileWarnings, passphraseOf, strictFiles } from '../src/cli/ask.js';
import { restoredLines } from '../src/cli/backup.js';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import { reasonFlag } from '../src/cli/reason.js';

const question =
  'Does the restored home replace the one that was backed up, so that every copy of that one is refused from now on?';

export default class Restore extends AgentCommand<RestoreReport> {
  static override description =
    `Create a home from a backup archive, in a directory that does not exist yet. Every signature is verified.
The home starts paused, under a new log origin. For a series, name any part. Archives of the Python agent are read too.`;
  static override examples = [
    '<%= config.bin %> --home ~/restored restore agent-backup.zip',
    '<%= config.bin %> --home ~/restored restore agent-backup.zip --expect-head 57:0123456789abcdef',
  ];
  static override args = { archive: Args.string({ description: 'the archive, or a part of a series', required: true }) };
  static override flags = {
    'expect-head': Flags.string({
      description: 'a head that the archive must hold, as backup or doctor printed it',
      helpValue: 'HEAD',
    }),
    'expect-identity': Flags.string({
      description: 'the identity that the archive must belong to, or its public key',
      helpValue: 'URN|HEX',
    }),
    against: Flags.string({ description: 'a checkpoint file, to check whether the archive is the newest', helpValue: 'FILE' }),
    reason: Flags.string(reasonFlag),
    supersede: Flags.boolean({
      description:
        'the restored home replaces the one that was backed up: every copy of the old one is refused on this machine from now on',
      allowNo: true,
    }),
    'passphrase-file': Flags.string(passphraseFile),
    'strict-files': Flags.boolean(strictFiles),
    'new-token': Flags.boolean({ description: 'make a new access token instead of restoring the old one' }),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof Restore>): Promise<RestoreReport> {
    const [world, { restoreHome }] = await Promise.all([this.world(), import('../src/app/backup/restore.js')]);
    const { 'expect-head': expectHead, 'expect-identity': expectIdentity, 'new-token': newToken, against, reason } = flags;
    this.remark(passphraseFileWarnings(flags['passphrase-file'], flags['strict-files']));
    const passphrase = await passphraseOf(args.archive, flags['passphrase-file']);
    return withProgress(!this.jsonEnabled(), async (onProgress, clear) => {
      const ask = (): Promise<boolean> => (clear(), confirm(question));
      const supersede = flags.supersede ?? (this.jsonEnabled() ? false : ask);
      const given = { expectHead, expectIdentity, newToken, against, reason, supersede, passphrase };
      return await restoreHome(world, args.archive, { actor: flags.as, via: 'cli', onProgress, ...given });
    });
  }

  protected present = restoredLines;
}
