import assert from 'node:assert/strict';
import { givenOperator, stopAfterEach } from './given-operator.js';
import { forecast, produced, schedule } from '../support/app/given-home.js';
import type { Loose } from '../support/http/schema-check.js';

describe('operator API: the lifecycle of a mission', () => {
  stopAfterEach();

  it('leads from the file to the export', async () => {
    const { ask, get } = await givenOperator();
    const created = await ask('POST', '/api/missions', { as: 'reviewer', body: schedule() });
    assert.equal(created.status, 201, created.text);
    const { id } = created.body;
    assert.equal(created.headers.get('location'), `/api/missions/${id}`);
    assert.equal(created.body.state, 'queued');
    const done = await ask('POST', `/api/missions/${id}/execute?wait=1`, { as: 'reviewer' });
    assert.equal(done.status, 200, done.text);
    const { revision, result_hash } = done.body;
    assert.equal(done.body.state, 'review');
    const review = { revision, result_hash, approve: true, note: 'checked' };
    const approved = await ask('POST', `/api/missions/${id}/review`, { as: 'reviewer', body: review });
    assert.equal(approved.status, 200, approved.text);
    assert.equal(approved.body.state, 'completed');
    assert.deepEqual([approved.body.review.actor, approved.body.review.note], ['bob', 'checked']);
    const exported = await ask('GET', `/api/missions/${id}/export`, { as: 'viewer' });
    assert.equal(exported.headers.get('content-disposition'), `attachment; filename="${id.slice(0, 8)}.export.json"`);
    assert.equal(exported.body.receipt.body.mission, id);
    const { items } = await get(`/api/missions/${id}/events`);
    assert.deepEqual(
      [items[0].type, items.at(-1).type, items.at(-1).document.review.actor],
      ['mission.submitted', 'mission.completed', 'bob'],
    );
    assert.deepEqual(
      (await get('/api/missions?state=completed')).items.map((item: Loose) => item.id),
      [id],
    );
  });

  it('is in conflict with a result that fails its verification', async () => {
    let id = '';
    const { ask, get } = await givenOperator({}, async (home) => void (id = (await produced(home)).id));
    const { revision, result_hash } = await get(`/api/missions/${id}`);
    const body = { revision, result_hash, approve: true, note: 'checked' };
    const { status, body: problem } = await ask('POST', `/api/missions/${id}/review`, { body });
    assert.deepEqual([status, problem.code], [409, 'verification_failed']);
  });

  it('responds with 202 at once, and the status shows the run', async () => {
    const { ask, get, daemon } = await givenOperator();
    const { id } = (await ask('POST', '/api/missions', { body: forecast() })).body;
    const started = await ask('POST', `/api/missions/${id}/execute`);
    assert.deepEqual([started.status, started.body.state], [202, 'running']);
    await daemon.executions.outcome(id);
    const { actor, counts, journal, executing_max } = await get('/api/status');
    assert.deepEqual(actor, { name: 'operator', role: 'admin' });
    assert.equal(counts.review, 1);
    assert.equal(journal.events, (await get('/api/journal')).items[0].sequence);
    assert.ok(executing_max >= 1);
  });
});
