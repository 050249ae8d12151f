/** Engines that are missing, hold another image, or ignore a limit: each is refused, and the reason names it. @slow */
import { deepStrictEqual, match, ok } from 'node:assert';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRefused } from '../../src/base/refusal.js';
import {
  sandbox_cpu_s_max,
  sandbox_mem_mb_max,
  sandbox_mem_mb_min,
  sandboxSettings,
  findEngine,
} from '../../src/sandbox/find.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { real } from '../support/real.js';
import { containersLeft, sandboxEnv } from '../support/sandbox/sandbox.js';

/** Flags that an engine leaves out or replaces, and what the self-test says then. */
const ignored: readonly (readonly [flag: string, instead: string, said: RegExp])[] = [
  ['--memory*', '', /the memory limit is ignored/],
  ['--pids-limit=*', '--pids-limit=-1', /the limit on processes is ignored/],
  ['--network=none', '--network=host', /it has a network/],
  ['--read-only', '', /its root is not read-only/],
  ['--ipc=none', '--ipc=private', /places besides \/tmp are writable/],
  ['--tmpfs=*', '--tmpfs=/tmp:rw', /the size of \/tmp is not limited/],
  ['--user=*', '--user=0:0', /(does not run as the ordinary user|are writable)/],
  ['--cap-drop=all', '', /it has capabilities/],
  ['--security-opt=no-new-privileges', '', /it can gain privileges/],
  ['--security-opt=seccomp=*', '--security-opt=seccomp=unconfined', /the seccomp profile is not in force/],
  ['--ulimit=cpu=*', '', /the limits of a process are ignored/],
];

const podmanOf = (body: string): string =>
  `#!/bin/bash
PATH=${process.env['PATH'] ?? ''}
${body}
`;

real('container', 'engines that cannot run code missions', () => {
  const folder = folderForSuite();
  let folders = 0;

  /** Returns a PATH on which the engines are these scripts alone. */
  function pathWith(engines: Readonly<Record<string, string>>): string {
    const bin = join(folder, `${(folders += 1)}`);
    mkdirSync(bin);
    symlinkSync('/bin/bash', join(bin, 'bash'));
    for (const [name, script] of Object.entries(engines)) {
      writeFileSync(join(bin, name), script);
      chmodSync(join(bin, name), 0o755);
    }
    return bin;
  }

  /** Returns why no engine can be used, and the command that fixes it. */
  async function refusal(env: Readonly<Record<string, string>>): Promise<{ detail: string; hint: string | undefined }> {
    const settings = sandboxSettings(env);
    const found = isRefused(settings) ? settings : await findEngine(settings.right);
    ok(isRefused(found), 'an engine was found');
    deepStrictEqual(found.left.code, 'engine_unavailable');
    return { detail: found.left.detail, hint: found.left.hint };
  }

  it('are absent', async () => {
    const env = { ...sandboxEnv(), PATH: pathWith({}), AGENT_CONTAINER_ENGINE: '' };
    const { detail, hint } = await refusal(env);
    match(detail, /podman: it is not installed; docker: it is not installed$/);
    deepStrictEqual(hint, 'apt-get install podman runc');
    deepStrictEqual((await refusal({ ...env, AGENT_CONTAINER_ENGINE: 'docker' })).hint, 'unset AGENT_CONTAINER_ENGINE');
  });

  it('are a client without a daemon', async () => {
    const docker = '#!/bin/bash\necho "Cannot connect to the Docker daemon" >&2\nexit 1\n';
    const { detail } = await refusal({ ...sandboxEnv(), PATH: pathWith({ docker }), AGENT_CONTAINER_ENGINE: '' });
    match(detail, /podman: it is not installed; docker: Cannot connect to the Docker daemon$/);
  });

  it('do not hold the image', async () => {
    for (const image of [`sha256:${'0'.repeat(64)}`, `localhost/agent-cli-sandbox@sha256:${'1'.repeat(64)}`]) {
      const { detail, hint } = await refusal(sandboxEnv({ AGENT_SANDBOX_IMAGE: image }));
      match(detail, /podman: it does not hold the image /);
      deepStrictEqual(hint, 'scripts/sandbox-image');
    }
  });

  it('hold another image under the id', async () => {
    const lie = podmanOf(`[ "$1" = image ] && { echo ${'2'.repeat(64)}; exit 0; }; exec podman "$@"`);
    const { detail } = await refusal({ ...sandboxEnv(), PATH: pathWith({ podman: lie }) });
    match(detail, /podman: it holds another image as sha256:/);
  });

  for (const [flag, instead, said] of ignored) {
    it(`ignore ${flag}`, async () => {
      const filter = podmanOf(
        `args=()\nfor arg in "$@"; do case "$arg" in\n${flag}) ${instead === '' ? ':' : `args+=("${instead}")`} ;;\n*) args+=("$arg") ;;\nesac; done\nexec podman "\${args[@]}"`,
      );
      const { detail } = await refusal({ ...sandboxEnv(), PATH: pathWith({ podman: filter }) });
      match(detail, said);
      deepStrictEqual(containersLeft(), []);
    });
  }

  it('warn, whatever the warning', async () => {
    const warning = podmanOf(
      '[ "$1" = run ] && echo "Your kernel does not support swap limit capabilities" >&2\nexec podman "$@"',
    );
    const { detail } = await refusal({ ...sandboxEnv(), PATH: pathWith({ podman: warning }) });
    match(detail, /podman: it warned: Your kernel does not support swap limit capabilities/);
  });

  it('are skipped for the next one', async () => {
    const broken = '#!/bin/bash\necho broken >&2\nexit 1\n';
    const docker = podmanOf(
      '[ "$1" = version ] && { echo 1.0; exit 0; }; for arg in "$@"; do [ "$arg" = --ignore ] || args+=("$arg"); done; exec podman "${args[@]}"',
    );
    const env = { ...sandboxEnv(), PATH: pathWith({ podman: broken, docker }), AGENT_CONTAINER_ENGINE: '' };
    const settings = sandboxSettings(env);
    ok(!isRefused(settings));
    const found = await findEngine(settings.right);
    // Without podman's own flags /dev/mqueue stays writable, which the self-test sees.
    ok(isRefused(found));
    match(
      found.left.detail,
      /^no container engine can run code missions: podman: broken; docker: places besides \/tmp are writable$/,
    );
  });
});

real('container', 'an engine that can run code missions', () => {
  for (const [mem_mb, cpu_s] of [
    [sandbox_mem_mb_min, sandbox_cpu_s_max],
    [sandbox_mem_mb_max, 1],
  ] as const)
    it(`is found where a candidate may have ${mem_mb} MiB and ${cpu_s} s`, async () => {
      const settings = sandboxSettings({ ...sandboxEnv(), SANDBOX_MEM_MB: `${mem_mb}`, SANDBOX_CPU_SEC: `${cpu_s}` });
      ok(!isRefused(settings));
      const found = await findEngine(settings.right);
      ok(!isRefused(found), isRefused(found) ? found.left.detail : '');
    });
});
