/** An image of Debian with this machine's Node and npm, as the official Node images are: a base for the Dockerfile's first stage, without a registry. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { podman } from './program-image.js';
import { build_ms_max } from './sandbox.js';

const mirror = 'http://deb.debian.org/debian';

/** node-gyp finds the headers of this Node here and downloads none. */
const dockerfile = `FROM scratch
ADD root.tar /
COPY node /usr/local/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV npm_config_nodedir=/usr/local
`;

/** Builds the image and returns its id. Takes a minute, and the network. */
export function debianImage(): string {
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
