/** Workers of a NATS queue that lie, loop, respond twice, or are of another version or key: the outcome is that of threads. */
import assert from 'node:assert/strict';
import { until } from '../../support/app/given-daemon.js';
import { document, expectedOf, hashOf, notices, queueForEach, run } from '../../support/app/queued-runs.js';
import { real } from '../../support/real.js';

real('nats', 'bad workers of a queue', () => {
  const queue = queueForEach();

  it('give the jobs of a worker whose thread is caught in a loop to another', async () => {
    const { nats, worker, bad } = queue();
    const expected = await expectedOf(document);
    const loops = await bad('loops');
    const started = run(nats.url);
    await until(() => loops.taken() > 0);
    await worker();
    const heard = await started;
    assert.equal(hashOf(heard), expected);
    assert.ok(notices('lost', heard).some((notice) => notice.type === 'lost' && notice.key === loops.key));
  });

  it('refute a population that looks better than it is, and compute all of that worker again', async () => {
    const { nats, bad } = queue();
    const expected = await expectedOf(document);
    const liar = await bad('lies');
    const heard = await run(nats.url, { access: { check_one_in: 1 } });
    assert.equal(hashOf(heard), expected);
    assert.deepEqual(notices('refuted', heard), [{ type: 'refuted', key: liar.key }]);
    assert.ok(liar.done() > 0);
  });

  it('count no result of a key that is not accepted', async () => {
    const { nats, worker } = queue();
    const expected = await expectedOf(document);
    const [known, unknown] = await Promise.all([worker(), worker()]);
    const heard = await run(nats.url, { access: { keys: [known.key] } });
    assert.equal(hashOf(heard), expected);
    for (const notice of notices('ignored', heard))
      assert.deepEqual(notice, { type: 'ignored', key: unknown.key, why: 'its key is not accepted' });
  });

  it('give no job to a worker of another version', async () => {
    const { nats, bad } = queue();
    const other = await bad('other-version');
    const heard = await run(nats.url);
    assert.equal(hashOf(heard), await expectedOf(document));
    assert.equal(other.taken(), 0);
    assert.deepEqual(heard.notices, [{ type: 'alone', isAlone: true }]);
  });

  it('count a result that is delivered twice once', async () => {
    const { nats, bad } = queue();
    const twice = await bad('twice');
    const heard = await run(nats.url);
    assert.equal(hashOf(heard), await expectedOf(document));
    assert.ok(twice.done() > 0);
  });
});
