/** The systemd unit under a real systemd, in a container of Debian. test/sandbox/compiled-image.test.ts has the images. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandScript } from '../support/cli/docs-block.js';
import { until } from '../support/app/given-daemon.js';
import { packageRoot } from '../support/package-root.js';
import { build_limits, podman } from '../support/sandbox/program-image.js';

const page = readFileSync(join(packageRoot(import.meta.url), 'docs', 'installation.md'), 'utf8');

/** The program of the compiled image is where npm installs packages for the whole system. */
const dockerfile = (debian: string, compiled: string): string => `FROM ${compiled} AS program
FROM ${debian}
RUN apt-get update && apt-get install --yes --no-install-recommends sudo systemd
COPY --from=program /opt/agent-cli /usr/local/lib/node_modules/agent-cli
RUN ln -s ../lib/node_modules/agent-cli/bin/agent-cli.js /usr/local/bin/agent-cli
CMD ["/lib/systemd/systemd"]
`;

/** Executes the example of a schedule by the API and prints its state. */
const mission = `
const { readFileSync } = require('fs');
const headers = { authorization: 'Bearer ' + readFileSync('/var/lib/agent-cli/home/api.token', 'utf8').trim(), 'content-type': 'application/json' };
const ask = (path, body) => fetch('http://127.0.0.1:8765/api/missions' + path, { method: 'POST', headers, body }).then((response) => response.json());
ask('', readFileSync('/tmp/missions/schedule.json')).then(({ id }) => ask('/' + id + '/execute?wait=1', '')).then(({ state }) => console.log(state));
`;

/** Returns the id of an image of Debian with systemd and the program. */
export function systemdImage(debian: string, compiled: string): string {
  const context = mkdtempSync(join(tmpdir(), 'agent-systemd-image-'));
  try {
    writeFileSync(join(context, 'Dockerfile'), dockerfile(debian, compiled));
    return podman('build', '--quiet', '--runtime', 'runc', '--network', 'host', ...build_limits, context);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Installs the service as docs/installation.md says, and uses it. */
export async function runsUnderSystemd(image: string): Promise<void> {
  const name = `agent-cli-systemd-test-${process.pid}`;
  const inside = (...words: readonly string[]): string => podman('exec', name, ...words);
  const works = (...words: readonly string[]): boolean =>
    spawnSync('podman', ['exec', name, ...words], { stdio: 'ignore' }).status === 0;
  const isServing = (): boolean => works('node', '--eval', `fetch('http://127.0.0.1:8765/healthz').catch(() => process.exit(1))`);
  const pid = (): string => inside('systemctl', 'show', '--property', 'MainPID', '--value', 'agent-cli');
  podman('run', '--detach', '--name', name, '--systemd=always', '--privileged', '--runtime', 'runc', ...build_limits, image);
  try {
    await until(() => works('systemctl', 'daemon-reload'), 'systemd');
    match(inside('sh', '-c', commandScript(page, 'systemd')), /^[\w-]{43}$/m);
    strictEqual(inside('systemctl', 'is-enabled', 'agent-cli'), 'enabled');
    await until(isServing, 'the service');
    match(inside('sh', '-c', commandScript(page, 'as its user')), /^✓ journal/m);
    const first = pid();
    const status = inside('cat', `/proc/${first}/status`);
    for (const line of [/^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m]) match(status, line);
    inside('agent-cli', 'examples', '--output', '/tmp/missions');
    strictEqual(inside('node', '--eval', mission), 'review');
    const writable = ['/etc', '/usr', '/var', '/var/lib', '/var/lib/agent-cli'].filter((folder) =>
      works('nsenter', '--target', first, '--mount', 'touch', `${folder}/x`),
    );
    deepStrictEqual(writable, ['/var/lib/agent-cli']);
    inside('node', '--eval', `process.kill(${first}, 'SIGKILL')`);
    await until(() => !['0', first].includes(pid()) && isServing(), 'the service after its death');
    inside('systemctl', 'stop', 'agent-cli');
    strictEqual(inside('systemctl', 'show', '--property', 'Result', '--value', 'agent-cli'), 'success');
  } finally {
    podman('rm', '--force', '--time', '10', name);
  }
}
