/** A disk that fails while `publish` writes: a clear refusal, nothing temporary left, and the next publish completes. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome, type Home } from '../../src/app/home/home.js';
import { said } from '../support/crash-cli.js';
import { grow, publishTo, readPublished } from '../support/published.js';
import { real } from '../support/real.js';
import { breakAt, type Target } from '../support/strace.js';
import { temporaryHome, type TemporaryHome } from '../support/temporary-home.js';

const cases: readonly (readonly [Target, string | null])[] = [
  [{ syscall: 'write', nth: 2, how: 'error=ENOSPC' }, 'storage_full'],
  [{ syscall: 'fsync', nth: 1, how: 'error=EIO' }, null],
  [{ syscall: 'link', nth: 1, how: 'error=EROFS' }, 'storage_full'],
  [{ syscall: 'link', nth: 1, how: 'error=EACCES' }, 'forbidden'],
  [{ syscall: 'rename', nth: 1, how: 'error=ENOSPC' }, 'storage_full'],
];

real('strace', 'publish on a disk that fails', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-publish-'));
  let made: TemporaryHome;
  before(async () => {
    made = temporaryHome();
    grow(made, 2);
    await publishTo(made, join(made.root, 'public'));
    grow(made, 3);
  });
  after(() => {
    made.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  for (const [target, code] of cases) {
    it(`ends with ${code ?? 'a fault'} after ${target.syscall} ${target.how}`, async () => {
      const root = join(scratch, 'copy');
      const env = { AGENT_HOME: join(root, 'home'), AGENT_WITNESS: join(root, 'witness') };
      const out = join(root, 'public');
      const fresh = (): { env: typeof env; log: string } => {
        rmSync(root, { recursive: true, force: true });
        cpSync(made.root, root, { recursive: true, preserveTimestamps: true });
        return { env, log: join(scratch, 'trace') };
      };
      const broken = await breakAt(target, ['publish', out, '--json'], (file) => file.startsWith(out), fresh);
      ok(broken !== null);
      const answer = said(broken);
      if (code === null) ok(answer.code !== 0 && broken.stderr.includes('EIO'), broken.stderr);
      else strictEqual(answer.refusal, code, broken.stderr);
      const key = made.with((home) => home.signer.publicKey);
      strictEqual(readPublished(out, key)?.size, 2);
      deepStrictEqual(
        readdirSync(out).filter((name) => name.endsWith('.tmp')),
        [],
      );
      const open = (): Home => openHome({ env, clock: made.clock, directory: join(root, 'home') });
      strictEqual((await publishTo({ ...made, open }, out)).size, 3);
      strictEqual(readPublished(out, key)?.size, 3);
    });
  }
});
