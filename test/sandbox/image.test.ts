/** scripts/sandbox-image builds the same image each time, and prints one line. */
import { deepStrictEqual, match } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { real } from '../support/real.js';
import { buildImage, imageScript, sandboxImage } from '../support/sandbox.js';
import { hang_ms } from '../support/wait.js';

real('container', 'scripts/sandbox-image', function () {
  this.timeout(hang_ms);

  it('prints one line, with the same image id each time', () => {
    // Built by this test, or by one before it; an image of another origin is no measure.
    const { AGENT_SANDBOX_IMAGE: given } = process.env;
    const first = given === undefined ? `AGENT_SANDBOX_IMAGE=${sandboxImage()}\n` : buildImage();
    match(first, /^AGENT_SANDBOX_IMAGE=sha256:[0-9a-f]{64}\n$/);
    deepStrictEqual(buildImage(), first);
  });

  it('takes no arguments, and says what is missing', () => {
    const given = spawnSync(imageScript, ['latest'], { encoding: 'utf8' });
    deepStrictEqual([given.status, given.stdout, given.stderr], [2, '', 'scripts/sandbox-image takes no arguments\n']);
    const env = { ...process.env, AGENT_CONTAINER_ENGINE: '/nowhere/podman' };
    const absent = spawnSync(imageScript, { encoding: 'utf8', env });
    deepStrictEqual([absent.status, absent.stdout], [7, '']);
    match(absent.stderr, /^\/nowhere\/podman does not work here; on Debian: apt-get install podman runc catatonit\n$/);
  });
});
