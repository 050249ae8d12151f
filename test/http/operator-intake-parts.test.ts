/** A spreadsheet over HTTP: sent in parts, read, read again with a choice, changed, and queued. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';
import type { Got } from './plain-http.js';

const vector = (name: string): Buffer => readFileSync(join(packageRoot(import.meta.url), 'test', 'vectors', 'intake', name));

/** Sends a file in parts of so many bytes, and returns the id of its draft. */
async function sent({ ask }: GivenOperator, name: string, bytes: Buffer, part_bytes = 100): Promise<string> {
  const { body } = await ask('POST', '/api/intake', { as: 'reviewer', body: { files: [{ name, bytes: bytes.length }] } });
  for (let at = 0; at < bytes.length; at += part_bytes) {
    const data = bytes.subarray(at, at + part_bytes).toString('base64');
    const part = await ask('POST', `/api/intake/${body.draft}/parts`, { as: 'reviewer', body: { file: 0, at, data } });
    assert.equal(part.body.received, Math.min(bytes.length, at + part_bytes), part.text);
  }
  return body.draft;
}

describe('operator API: missions from files', () => {
  stopAfterEach();
  const read = ({ ask }: GivenOperator, draft: string, body: unknown): Promise<Got> =>
    ask('POST', `/api/intake/${draft}`, { as: 'reviewer', body });

  it('reads a file that came in parts, takes a choice, and queues the mission with what was changed by hand', async () => {
    const operator = await givenOperator();
    const draft = await sent(operator, 'sales.csv', vector('missing-months.csv'));
    const before = (await operator.get('/api/journal/checkpoint')).size;
    const undecided = await read(operator, draft, { kind: 'forecast' });
    assert.equal(undecided.body.outcome, 'choice_needed', undecided.text);
    const [choice] = undecided.body.choices;
    assert.equal(choice.about, 'gaps');
    const drafted = await read(operator, draft, { kind: 'forecast', options: choice.readings[0].option });
    assert.equal(drafted.body.outcome, 'draft', drafted.text);
    assert.equal((await operator.get('/api/journal/checkpoint')).size, before, 'reading records nothing');
    const observations = [...drafted.body.draft.work.observations];
    observations[0] = 3_000;
    const body = { draft, changes: { goal: 'Visits of the next months', work: { observations } } };
    const headers = { 'Idempotency-Key': '11111111-1111-4111-8111-111111111111' };
    const queued = await operator.ask('POST', '/api/missions', { as: 'reviewer', body, headers });
    assert.equal(queued.status, 201, queued.text);
    const { goal, provenance } = queued.body.request;
    assert.equal(goal, 'Visits of the next months');
    assert.deepEqual(provenance.changed, ['work.observations[0]']);
    assert.equal(provenance.files[0].name, 'sales.csv');
    const again = await operator.ask('POST', '/api/missions', { as: 'reviewer', body, headers });
    assert.equal(again.status, 200, again.text);
    const other = await operator.ask('POST', '/api/missions', { body });
    assert.equal(other.status, 404, 'the draft of another actor');
  });

  it('refuses a draft that lacks what no file gives, with the paths of the mission file', async () => {
    const operator = await givenOperator();
    const draft = await sent(operator, 'proposals.csv', vector('proposals.csv'), 100_000);
    assert.equal((await read(operator, draft, { kind: 'allocation' })).body.outcome, 'draft');
    const refused = await operator.ask('POST', '/api/missions', { as: 'reviewer', body: { draft } });
    assert.equal(refused.status, 422);
    assert.deepEqual(
      refused.body.errors.map(({ path }: { path: string }) => path),
      ['work.budget'],
    );
  });

  it('leaves no file in the home when it stops', async () => {
    const operator = await givenOperator();
    await sent(operator, 'picture.csv', vector('picture.csv'), 100_000);
    assert.equal(readdirSync(join(operator.given.directory, 'intake')).length, 1);
    await operator.stop();
    assert.ok(!readdirSync(operator.given.directory).includes('intake'));
  });
});
