/** compose.yaml, run: a simulation whose islands are computed by both workers. test/sandbox/image.test.ts has the images. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratch } from '../support/cli-run.js';
import { compose, compose_secrets, startEngine, type ComposeEngine } from '../support/compose.js';
import { until } from '../support/given-daemon.js';
import { natsProgram } from '../support/nats.js';
import { podman } from '../support/program-image.js';
import { real } from '../support/real.js';
import { build_ms_max, sandboxImage } from '../support/sandbox.js';

/** @param image returns the image of the simulation */
export function composeSuite(image: () => string): void {
  real(['compose', 'container', 'nats'], 'compose.yaml, run', function () {
    this.timeout(build_ms_max);
    const project = `agentclicomposetest${process.pid}`;
    let engine: ComposeEngine;
    let env: Readonly<Record<string, string>>;
    let queue = '';
    let base = '';

    before(async () => {
      engine = await startEngine();
      queue = queueImage();
      env = { ...engine.env, ...compose_secrets, SIMULATION_IMAGE: image(), NATS_IMAGE: queue, SIMULATION_PORT: '0' };
      const { code, stderr } = compose(['--project-name', project, 'up', '--detach', '--no-build'], env);
      strictEqual(code, 0, stderr);
      const [, port = ''] = /^127\.0\.0\.1:(\d+)$/.exec(podman('port', container('network'), '8001/tcp')) ?? [];
      base = `http://127.0.0.1:${port}`;
      await until(isHealthy, 'the simulation in its container');
    });
    after(async () => {
      compose(['--project-name', project, 'down', '--volumes', '--timeout', '30'], env);
      podman('rmi', '--force', queue);
      await engine.stop();
    });

    const container = (service: string, number = 1): string => `${project}_${service}_${number}`;
    const isHealthy = (): Promise<boolean> =>
      fetch(`${base}/healthz`).then(
        ({ ok: isOk }) => isOk,
        () => false,
      );
    const asked = async (path: string, init: RequestInit = {}): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${compose_secrets.API_TOKEN}` };
      const response = await fetch(`${base}${path}`, { ...init, headers });
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
      const { run, remove } = scratch({ AGI_ISLAND_BACKENDS: 'a=threads,b=threads' });
      try {
        const flags = ['--seed', '7', '--entropy', '2', '--pop-size', '200', '--generations', '40'];
        const local = JSON.parse(run('simulate', ...flags, '--json').stdout) as Record<string, unknown>;
        strictEqual((await asked(`/results/${String(id)}`))['outcome_hash'], local['outcome_hash']);
      } finally {
        remove();
      }
    });

    it('runs each container without privileges, and the queue for those with its token alone', () => {
      for (const name of [container('network'), container('nats'), container('simulation'), container('worker', 2)]) {
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
      const { code, stderr } = compose(['--project-name', project, 'stop', '--timeout', '60'], env);
      strictEqual(code, 0, stderr);
      const codes = podman('ps', '--all', '--filter', `name=${project}`, '--format', '{{.Names}} {{.ExitCode}}').split('\n');
      deepStrictEqual(
        codes.filter((line) => !line.endsWith(' 0')),
        [],
      );
      strictEqual(codes.length, 5);
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
