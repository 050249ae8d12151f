/** The whole Dockerfile, its first stage included, on Debian with this machine's Node; with TEST_EFFORT=full, because it compiles and needs the network. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runsUnderSystemd, systemdImage } from '../deploy/service-run.js';
import { fullEffort } from '../support/effort.js';
import { build_limits, buildStage, hardened, podman, programImages, removeAll } from '../support/sandbox/program-image.js';
import { real } from '../support/real.js';
import { build_ms_max } from '../support/wait.js';

/** An image of Debian with this machine's Node and npm, as the official Node images are: a base for the Dockerfile's first stage, without a registry. */
const mirror = 'http://deb.debian.org/debian';

/** node-gyp finds the headers of this Node here and downloads none. */
const dockerfile = `FROM scratch
ADD root.tar /
COPY node /usr/local/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV npm_config_nodedir=/usr/local
`;

/** Builds the image and returns its id. Takes a minute, and the network. */
function debianImage(): string {
  const context = mkdtempSync(join(tmpdir(), 'agent-debian-image-'));
  const node = realpathSync(process.execPath);
  const [from, to] = [dirname(dirname(node)), join(context, 'node')];
  try {
    const options = ['--quiet', '--variant=apt', 'bookworm', join(context, 'root.tar'), mirror];
    execFileSync('mmdebstrap', options, { timeout: build_ms_max, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const folder of ['bin', 'include', 'lib/node_modules']) mkdirSync(join(to, folder), { recursive: true });
    copyFileSync(node, join(to, 'bin', 'node'));
    cpSync(join(from, 'include', 'node'), join(to, 'include', 'node'), { recursive: true });
    cpSync(join(from, 'lib', 'node_modules', 'npm'), join(to, 'lib', 'node_modules', 'npm'), { recursive: true });
    const trusted = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
    // Authorities that this machine trusts beside Node's own.
    if (existsSync(trusted)) copyFileSync(trusted, join(to, 'ca.pem'));
    const authorities = existsSync(trusted) ? 'ENV NODE_EXTRA_CA_CERTS=/usr/local/ca.pem\n' : '';
    writeFileSync(join(context, 'Dockerfile'), `${dockerfile}${authorities}`);
    return podman('build', '--quiet', '--runtime', 'runc', context);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

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
