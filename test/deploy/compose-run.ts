/** compose.yaml, run as docs/installation.md says: a simulation whose islands are computed by both workers. test/sandbox/image.test.ts has the images. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshFetch } from '../support/http/fetch.js';
import { root, scratch, type Env } from '../support/cli/cli-run.js';
import { compose_secrets, startEngine, type ComposeEngine } from '../support/sandbox/compose.js';
import { commandLines } from '../support/cli/docs-block.js';
import { until } from '../support/app/given-daemon.js';
import { natsProgram } from '../support/app/nats.js';
import { podman } from '../support/sandbox/program-image.js';
import { real } from '../support/real.js';
import { sandboxImage } from '../support/sandbox/sandbox.js';
import { build_ms_max } from '../support/wait.js';
import { assertNone } from '../support/lists.js';

/** The containers: each service, and the number of its container. */
const services = [
  ['network', 1],
  ['nats', 1],
  ['simulation', 1],
  ['worker', 1],
  ['worker', 2],
] as const;

/** A `docker` that runs Docker Compose as a project of this test, whose images are built. */
const docker = (project: string): string => `#!/bin/sh
[ "$1" = compose ] || exit 1
shift
case $1 in
  build) exit 0 ;;
  up) shift; set -- up --no-build "$@" ;;
esac
exec docker-compose --project-name ${project} "$@"
`;

/** Copies compose.yaml and what it mounts into a directory, with that `docker` in its directory bin. */
function copyProject(directory: string, project: string): void {
  for (const name of ['bin', 'deploy']) mkdirSync(join(directory, name));
  for (const name of ['compose.yaml', 'deploy/nats.conf']) copyFileSync(join(root, name), join(directory, name));
  writeFileSync(join(directory, 'bin', 'docker'), docker(project), { mode: 0o755 });
}

/** @param image returns the image of the simulation */
export function composeSuite(image: () => string): void {
  real(['compose', 'container', 'nats', 'openssl'], 'compose.yaml, run', () => {
    const project = `agentclicomposetest${process.pid}`;
    let engine: ComposeEngine;
    let env: Env;
    let directory = '';
    let queue = '';
    let base = '';
    let token = '';

    /** Runs a script in the copy of the project and returns what it prints. */
    const inProject = (script: string): string => {
      const options = { cwd: directory, env, encoding: 'utf8', timeout: build_ms_max } as const;
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      strictEqual(status, 0, `${script}: ${stderr}`);
      return stdout;
    };

    before(async () => {
      engine = await startEngine();
      queue = queueImage();
      directory = mkdtempSync(join(tmpdir(), 'agent-compose-'));
      copyProject(directory, project);
      const { PATH = '', HOME = '' } = process.env;
      const images = { SIMULATION_IMAGE: image(), NATS_IMAGE: queue, SIMULATION_PORT: '0' };
      const shell = { PATH: `${join(directory, 'bin')}:${PATH}`, HOME, COLUMNS: '200', COMPOSE_INTERACTIVE_NO_CLI: '1' };
      env = { ...shell, ...engine.env, ...images };
      const [makesSecrets = '', ...others] = commandLines(readFileSync(join(root, 'docs', 'installation.md'), 'utf8'), 'compose');
      inProject(makesSecrets);
      const secrets = join(directory, '.env');
      const made = readFileSync(secrets, 'utf8');
      [, token = ''] = /^API_TOKEN=([0-9a-f]{64})\nAGENT_NATS_TOKEN=[0-9a-f]{64}\n$/.exec(made) ?? [];
      deepStrictEqual([token.length, statSync(secrets).mode & 0o777], [64, 0o600]);
      writeFileSync(secrets, made.replace(/(?<=^AGENT_NATS_TOKEN=).*/m, compose_secrets.AGENT_NATS_TOKEN));
      const shown = inProject(['set -e', ...others].join('\n'));
      for (const [service, number] of services) match(shown, new RegExp(`^${container(service, number)} .* Up `, 'm'));
      const [, port = ''] = /^127\.0\.0\.1:(\d+)$/.exec(podman('port', container('network'), '8001/tcp')) ?? [];
      base = `http://127.0.0.1:${port}`;
      await until(isHealthy, 'the simulation in its container');
    });
    after(async () => {
      // Docker Compose removes all containers at once, and podman refuses that for the one whose network the others use: the second time it is alone.
      const down = 'docker compose down --volumes --timeout 30';
      try {
        inProject(`${down} || ${down}`);
      } finally {
        podman('rmi', '--force', queue);
        await engine.stop();
        rmSync(directory, { recursive: true, force: true });
      }
    });

    const container = (service: string, number = 1): string => `${project}_${service}_${number}`;
    const isHealthy = (): Promise<boolean> =>
      freshFetch(`${base}/healthz`).then(
        ({ ok: isOk }) => isOk,
        () => false,
      );
    const asked = async (path: string, init: RequestInit = {}): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await freshFetch(`${base}${path}`, { ...init, headers });
      strictEqual(response.status, 200, `${path}: ${await response.clone().text()}`);
      return (await response.json()) as Record<string, unknown>;
    };

    it('computes a run on both workers, with the result that it has elsewhere', async () => {
      const request = { seed: 7, entropy: 2, pop_size: 200, generations: 40 };
      const { id } = await asked('/simulate', { method: 'POST', body: JSON.stringify(request) });
      // The server allows 60 requests a minute.
      const isDone = async (): Promise<boolean> => {
        await sleep(1_500);
        return (await asked(`/runs/${String(id)}`))['state'] === 'succeeded';
      };
      await until(isDone, 'the run');
      const workers = (await asked('/status'))['workers'] as { readonly done: number }[];
      deepStrictEqual(
        workers.map(({ done }) => done > 0),
        [true, true],
      );
      const { json, remove } = scratch({ AGI_ISLAND_BACKENDS: 'a=threads,b=threads' });
      try {
        const flags = ['--seed', '7', '--entropy', '2', '--pop-size', '200', '--generations', '40'];
        const local = json('simulate', ...flags)['outcome_hash'];
        strictEqual((await asked(`/results/${String(id)}`))['outcome_hash'], local);
      } finally {
        remove();
      }
    });

    it('runs each container without privileges, and the queue for those with its token alone', () => {
      for (const name of services.map(([service, number]) => container(service, number))) {
        const [found] = JSON.parse(podman('inspect', name)) as readonly {
          readonly EffectiveCaps: readonly string[] | null;
          readonly HostConfig: { readonly ReadonlyRootfs: boolean; readonly SecurityOpt: readonly string[] };
          readonly Config: { readonly User: string };
        }[];
        deepStrictEqual(
          [found?.EffectiveCaps ?? [], found?.HostConfig.ReadonlyRootfs, found?.Config.User],
          [[], true, '10001:10001'],
          name,
        );
        match(
          podman('exec', name, 'node', '--print', `require('fs').readFileSync('/proc/self/status', 'utf8')`),
          /^NoNewPrivs:\t1$/m,
        );
      }
      const knock = `const socket = require('net').connect(4222, '127.0.0.1', () => socket.write('CONNECT {}\\r\\nPING\\r\\n')); socket.on('data', (part) => process.stdout.write(part))`;
      match(podman('exec', container('worker'), 'node', '--eval', knock), /Authorization Violation/);
    });

    it('stops by signals', () => {
      inProject('docker compose stop --timeout 60');
      const codes = podman('ps', '--all', '--filter', `name=${project}`, '--format', '{{.Names}} {{.ExitCode}}').split('\n');
      assertNone(codes, (line) => !line.endsWith(' 0'));
      strictEqual(codes.length, services.length);
    });
  });
}

/** Builds an image of this machine's NATS server with its libraries. It has Node too, so that the test can look inside. */
function queueImage(): string {
  const context = mkdtempSync(join(tmpdir(), 'agent-nats-image-'));
  try {
    copyFileSync(natsProgram(), join(context, 'nats-server'));
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${sandboxImage()}\nCOPY nats-server /nats-server\nENTRYPOINT ["/nats-server"]\n`,
    );
    return podman('build', '--quiet', '--runtime', 'runc', context);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
