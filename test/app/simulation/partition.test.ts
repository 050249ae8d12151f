/** A worker whose network fails while it has a job: its connections stay open, and nothing that is sent arrives. */
import assert from 'node:assert/strict';
import { until } from '../../support/app/given-daemon.js';
import { makeNamespace } from '../../support/namespace.js';
import { startWorkerBy } from '../../support/app/nats.js';
import { expectedOf, hashOf, longer, notices, queueForEach, run, runWithout } from '../../support/app/queued-runs.js';
import { real } from '../../support/real.js';

real(['nats', 'netns'], 'a worker behind a partition', () => {
  const queue = queueForEach();

  it('loses its job to another, and works again when the network is back; the outcome is that of threads', async () => {
    const { nats, worker, workers } = queue();
    const expected = await expectedOf(longer);
    const namespace = await makeNamespace(Number(new URL(nats.url).port));
    try {
      await worker();
      const cut = await startWorkerBy(namespace.enter, `nats://127.0.0.1:${namespace.port}`);
      workers.push(cut);
      const heard = await runWithout(nats.url, cut, {
        leave: () => namespace.link('down'),
        comeBack: () => namespace.link('up'),
      });
      assert.equal(hashOf(heard), expected);
      assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === cut.key));
      const before = cut.done();
      let again = heard;
      await until(async () => {
        again = await run(nats.url);
        return cut.done() > before;
      }, 'a job done by the worker that was cut off');
      assert.equal(again.answer.type, 'answered');
    } finally {
      await namespace.remove();
    }
  });
});
