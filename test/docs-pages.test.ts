/** Pages whose commands need a queue with a worker, or a container engine. test/docs-commands.test.ts has the others. */
import { deepStrictEqual } from 'node:assert';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './support/cli/cli-run.js';
import { commandLines } from './support/cli/docs-block.js';
import { runPage } from './support/cli/docs-scenario.js';
import { until } from './support/app/given-daemon.js';
import { startNatsBy, talking } from './support/app/nats.js';
import { packageRoot } from './support/package-root.js';
import { real } from './support/real.js';
import { sandboxImage } from './support/sandbox/sandbox.js';

const root = packageRoot(import.meta.url);
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

real('nats', 'docs/beyond-one-machine.md', () => {
  it('does what the page says', async () => {
    const page = read('docs/beyond-one-machine.md');
    const [queue = [], [name, ...worker] = []] = commandLines(page, 'queue').map((line) => line.replace(/ +#.*/, '').split(' '));
    const nats = await startNatsBy(queue);
    try {
      const own = (text: string): string => text.replaceAll('nats://127.0.0.1:4222', nats.url);
      const started = talking(process.execPath, [program, ...worker.map(own)]);
      try {
        const isWaiting = (): boolean => started.lines.some((line) => line.startsWith(`waiting for jobs of ${nats.url}`));
        await until(isWaiting, `a worker: ${started.lines.join('\n')}`);
        await runPage(own(page));
        await started.stop('SIGTERM');
        deepStrictEqual([name, started.child.exitCode], ['agent-cli', 0], started.lines.join('\n'));
      } finally {
        await started.stop();
      }
    } finally {
      await nats.remove();
    }
  });
});

real('container', 'docs/code-missions.md', () => {
  it('does what the page says', () =>
    runPage(read('docs/code-missions.md').replaceAll('IMAGE_OF_THE_TEST', sandboxImage()), {
      furnish: ({ directory }) => symlinkSync(join(root, 'scripts'), join(directory, 'scripts')),
    }));
});
