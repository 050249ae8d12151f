/** A disk that fills up while a backup is written or a home restored: refused in words, and nothing is left behind. */
import { deepStrictEqual, match, ok } from 'node:assert';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Operator, type Said } from '../support/crash-cli.js';
import { entriesOf, makeSandbox, namesIn, type Sandbox } from '../support/crash-sandbox.js';
import { accepted, refused } from '../support/crash-settle.js';
import { atEffort } from '../support/effort.js';
import { Tmpfs } from '../support/mount.js';
import { real } from '../support/real.js';

real('tmpfs', 'a disk that is full during backup and restore', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-backup-full-'));
  const operator = new Operator();
  const archive = join(root, 'kept.zip');
  let disk: Tmpfs;
  let sandbox: Sandbox;

  const cli = (...argv: readonly string[]): Promise<Said> => operator.run(argv, sandbox.env);

  before(async () => {
    sandbox = makeSandbox(join(root, 'sandbox'));
    accepted(await cli('init'), 'init');
    accepted(await cli('backup', archive), 'backup');
    disk = new Tmpfs(join(root, 'disk'), 'size=2m,nr_inodes=64,mode=0700');
    disk.mount();
  });

  after(() => {
    disk.unmount();
    operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const step_bytes = atEffort(16_384, 4_096);

  /** From no space at all to enough, in steps: wherever the space ends, the same words and nothing left. */
  async function atEverySize(what: string, argv: readonly string[], done: string): Promise<void> {
    let refusals = 0;
    for (let spare = 0; ; spare += step_bytes) {
      disk.fill('filler', spare);
      const answer = await cli(...argv);
      if (answer.code === 0) break;
      refused(answer, 1, 'storage_full', `${what} with ${spare} bytes`);
      match(answer.stderr, /no space left/);
      deepStrictEqual(namesIn(disk.point), ['filler']);
      refusals++;
      disk.free('filler');
    }
    deepStrictEqual(namesIn(disk.point), ['filler', done].toSorted());
    disk.free('filler');
    rmSync(join(disk.point, done), { recursive: true });
    ok(refusals > 1, `${refusals} refusals`);
  }

  it('makes a whole backup or none at every size of the disk', async () => {
    const before = entriesOf(sandbox.home);
    await atEverySize('backup', ['backup', join(disk.point, 'backup.zip')], 'backup.zip');
    deepStrictEqual(entriesOf(sandbox.home), before);
  });

  it('restores a whole home or none at every size of the disk', async () => {
    await atEverySize('restore', ['restore', archive, '--home', join(disk.point, 'home')], 'home');
    ok(statSync(archive).size > 0);
  });

  it('refuses backup and restore on a read-only disk', async () => {
    disk.remount('ro');
    try {
      for (const argv of [
        ['backup', join(disk.point, 'backup.zip')],
        ['restore', archive, '--home', join(disk.point, 'home')],
      ])
        refused(await cli(...argv), 1, 'storage_full', argv.join(' '));
    } finally {
      disk.remount('rw');
    }
    deepStrictEqual(namesIn(disk.point), []);
  });
});
