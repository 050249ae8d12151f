/** The whole Dockerfile, its first stage included, on Debian with this machine's Node; with TEST_EFFORT=full, because it compiles and needs the network. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { runsUnderSystemd, systemdImage } from '../deploy/service-run.js';
import { debianImage } from '../support/debian-image.js';
import { fullEffort } from '../support/effort.js';
import { build_limits, buildStage, hardened, podman, programImages, removeAll } from '../support/program-image.js';
import { real } from '../support/real.js';

/** Returns the files of the program in an image. */
function filesOf(image: string): string[] {
  const list = `console.log(require('fs').readdirSync('/opt/agent-cli', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => entry.path + '/' + entry.name).join('\\n'))`;
  return podman('run', '--rm', '--network', 'none', ...hardened, '--entrypoint', 'node', image, '--eval', list)
    .split('\n')
    .toSorted();
}

const full = fullEffort ? it : it.skip;

real('container', 'the whole Dockerfile', () => {
  const mark = `agent-cli-compiled-test-${process.pid}`;
  const images: string[] = [];
  after(() => {
    removeAll(mark, images);
  });

  full('makes the image that the other tests use, and one that works (TEST_EFFORT=full)', () => {
    const debian = debianImage();
    const compiled = buildStage('agent', '--layers=false', '--network', 'host', ...build_limits, '--build-arg', `BASE=${debian}`);
    const packed = programImages('agent').get('agent') ?? '';
    images.push(packed, compiled, debian);
    const files = filesOf(compiled);
    ok(files.length > 1_000);
    deepStrictEqual(files, filesOf(packed));
    const flags = ['run', '--rm', '--network', 'none', ...hardened, '--volume', `${mark}:/data`];
    match(podman(...flags, compiled, 'init'), /public key/);
    strictEqual(podman(...flags, '--entrypoint', 'id', compiled, '-u'), '10001');
  });

  full('holds a program that runs under the systemd unit (TEST_EFFORT=full)', async () => {
    const [, compiled = '', debian = ''] = images;
    const image = systemdImage(debian, compiled);
    images.unshift(image);
    await runsUnderSystemd(image);
  });
});
