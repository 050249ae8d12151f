/** Pages whose commands need a queue with a worker, or a container engine. test/docs-commands.test.ts has the others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPage } from './support/docs-scenario.js';
import { startNats, startWorkerProcess } from './support/nats.js';
import { packageRoot } from './support/package-root.js';
import { real } from './support/real.js';
import { build_ms_max, sandboxImage } from './support/sandbox.js';

const root = packageRoot(import.meta.url);
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

real('nats', 'docs/beyond-one-machine.md', function () {
  this.timeout(build_ms_max);

  it('does what the page says', async () => {
    const nats = await startNats();
    const worker = await startWorkerProcess(nats.url);
    try {
      await runPage(read('docs/beyond-one-machine.md').replaceAll('nats://127.0.0.1:4222', nats.url));
    } finally {
      await worker.stop();
      await nats.remove();
    }
  });
});

real('container', 'docs/code-missions.md', function () {
  this.timeout(build_ms_max);

  it('does what the page says', () => runPage(read('docs/code-missions.md').replaceAll('IMAGE_OF_THE_TEST', sandboxImage())));
});
