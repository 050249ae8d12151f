/** Docker Compose (its Debian package) over podman, which takes the place of Docker's daemon on a socket of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env, Ran } from '../cli/cli-run.js';
import { until } from '../app/given-daemon.js';
import { talking } from '../app/nats.js';
import { packageRoot } from '../package-root.js';
import { build_ms_max } from '../wait.js';

const root = packageRoot(import.meta.url);

/** Secrets that compose.yaml demands. The token of the queue begins as a number does, which NATS must not take it for. */
export const compose_secrets = { API_TOKEN: 'a-token-of-the-simulation', AGENT_NATS_TOKEN: '2e062978f4acf85195d08180a17fd091' };

/** runc because crun refuses hybrid control groups; rlimits cannot be raised, so that the engine's defaults would be refused. */
const engine_settings = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
`;

/** Runs docker-compose on the project's file, without an engine for `config`. */
export function compose(args: readonly string[], env: Env): Ran {
  const { status, stdout, stderr } = spawnSync('docker-compose', ['--file', join(root, 'compose.yaml'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', COMPOSE_INTERACTIVE_NO_CLI: '1', ...env },
    encoding: 'utf8',
    timeout: build_ms_max,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: status, stdout, stderr };
}

/** Returns a YAML document as JSON has it. */
export function yamlDocument(text: string): unknown {
  const script = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', script], { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

export interface ComposeEngine {
  /** The variables that lead docker-compose to the engine. */
  readonly env: Env;
  readonly stop: () => Promise<void>;
}

/** Starts podman's service. */
export async function startEngine(): Promise<ComposeEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-engine-'));
  const [settings, socket] = [join(directory, 'containers.conf'), join(directory, 'engine.sock')];
  writeFileSync(settings, engine_settings);
  const service = talking('podman', ['system', 'service', '--time', '0', `unix://${socket}`], {
    CONTAINERS_CONF: settings,
    HOME: process.env['HOME'] ?? '',
  });
  await until(() => existsSync(socket), `podman's service: ${service.lines.join('\n')}`);
  return {
    env: { DOCKER_HOST: `unix://${socket}` },
    stop: async () => {
      await service.stop('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
