/**
 * The run of a small candidate in the sandbox beside `podman run true` with the same image, medians of runs taken in turn; and the self-test,
 * which a command makes once. Needs podman and AGENT_SANDBOX_IMAGE.
 */
import { spawnSync } from 'node:child_process';
import { isRefused } from '../src/base/refusal.js';
import { findEngine, sandboxSettings } from '../src/sandbox/find.js';
import { runCandidate } from '../src/sandbox/run.js';
import { median } from './measure.js';

export const name = 'container';

const rounds = 15;

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function podmanTrue(image: string): void {
  // The engine's own limits may be above those of this process, which cannot raise them.
  const ulimits = ['--ulimit=nofile=256:256', '--ulimit=nproc=512:512'];
  const args = ['run', '--rm', '--pull=never', '--network=none', ...ulimits, image, '/usr/bin/python3', '--version'];
  const { status, stderr } = spawnSync('podman', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`podman run failed: ${stderr}`);
}

export async function run(print: (line: string) => void): Promise<void> {
  const settings = sandboxSettings({ ...process.env, AGENT_CONTAINER_ENGINE: 'podman' });
  if (isRefused(settings)) return print(`not measured: ${settings.left.detail}`);
  const began = performance.now();
  const found = await findEngine(settings.right);
  if (isRefused(found)) return print(`not measured: ${found.left.detail}`);
  const self_test_ms = performance.now() - began;
  const codes = { python: 'def solve(x):\n    return x\n', javascript: 'const solve = (x) => x;' } as const;
  const times: Record<'python' | 'javascript' | 'bare', number[]> = { python: [], javascript: [], bare: [] };
  for (let i = 0; i < rounds; i++) {
    for (const language of ['python', 'javascript'] as const) {
      const candidate = { language, code: codes[language], args: ['[1]'] };
      times[language].push(await timed(() => runCandidate(settings.right, found.right, candidate)));
    }
    times.bare.push(await timed(() => podmanTrue(found.right.image)));
  }
  const bare = median(times.bare);
  print(`podman run, a program that ends at once: ${bare.toFixed(0)} ms`);
  for (const language of ['python', 'javascript'] as const) {
    const own = median(times[language]);
    print(`a candidate in ${language}: ${own.toFixed(0)} ms, ${(own / bare).toFixed(2)} times that`);
  }
  print(`engine, image and self-test: ${self_test_ms.toFixed(0)} ms`);
}
