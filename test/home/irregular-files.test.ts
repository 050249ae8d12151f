/** Something other than a file under the name of a home's file: commands refuse it and do not wait for it. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { entry } from '../support/crash-cli.js';
import { homeForEach } from '../support/temporary-home.js';
import { hang_ms } from '../support/wait.js';

describe('a FIFO in place of a file of the home', function () {
  const homes = homeForEach();
  if (process.platform === 'win32') return;

  const refusals: readonly (readonly [file: string, argv: readonly string[], code: number])[] = [
    ['config.json', ['list'], 3],
    ['config.json', ['serve', '--port', '0', '--no-simulation'], 3],
    ['identity.key', ['list'], 3],
    ['ballast', ['resume'], 3],
    ['api.token', ['backup', 'a.zip'], 3],
  ];
  for (const [file, argv, code] of refusals) {
    it(`is refused with its path as ${file} by ${argv[0]}`, () => {
      const { directory, root, witness } = homes.get();
      rmSync(join(directory, file));
      execFileSync('mkfifo', ['-m', '600', join(directory, file)]);
      const env = { ...process.env, AGENT_HOME: directory, AGENT_WITNESS: witness };
      const ran = spawnSync(process.execPath, [entry, ...argv], { cwd: root, env, timeout: hang_ms, encoding: 'utf8' });
      assert.deepEqual([ran.status, ran.signal], [code, null], ran.stderr);
      assert.match(ran.stderr, new RegExp(`${join(directory, file)} is not a regular file`));
    });
  }

  it('is reported as a missing ballast by doctor, and other commands continue', () => {
    const { directory, root, witness } = homes.get();
    rmSync(join(directory, 'ballast'));
    execFileSync('mkfifo', ['-m', '600', join(directory, 'ballast')]);
    const env = { ...process.env, AGENT_HOME: directory, AGENT_WITNESS: witness };
    const ran = spawnSync(process.execPath, [entry, 'doctor'], { cwd: root, env, timeout: hang_ms, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /! ballast/);
  });
});
