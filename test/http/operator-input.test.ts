import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { readHead } from '../../src/journal/reader.js';
import { forecast, schedule } from '../support/app/given-home.js';
import { submit, uuidOf } from '../support/app/temporary-home.js';
import { givenOperator, stopAfterEach, stopOperators, type GivenOperator } from './given-operator.js';
import type { Loose } from '../support/http/schema-check.js';

const size = ({ home }: GivenOperator): number => readHead(home.db).size;

describe('operator API: Idempotency-Key', () => {
  stopAfterEach();

  it('returns the existing mission for the same key and input, refuses another input, and queues nothing twice', async () => {
    const operator = await givenOperator();
    const id = '0b1c2d3e-aaaa-4bbb-8ccc-ddddeeeeffff';
    const send = (body: unknown, key = id) =>
      operator.ask('POST', '/api/missions', { body, headers: { 'iDEMPOTENCY-kEY': key } });
    const first = await send(schedule(), id.toUpperCase());
    assert.deepEqual([first.status, first.body.id], [201, id]);
    const before = size(operator);
    const again = await send({ seed: 42, ...schedule() });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    const other = await send(schedule('other'));
    assert.deepEqual([other.status, other.body.code], [409, 'request_id_reused']);
    const [one, two] = await Promise.all([1, 2].map(() => send(forecast(), uuidOf(2))));
    assert.deepEqual(
      [one!.status, two!.status].toSorted((a, b) => a - b),
      [200, 201],
    );
    assert.equal(size(operator), before + 1);
  });

  it('refuses a key that is not a UUID', async () => {
    const operator = await givenOperator();
    for (const key of ['', 'x', 'a'.repeat(36), `${uuidOf(1)},${uuidOf(2)}`]) {
      const answer = await operator.ask('POST', '/api/missions', { body: forecast(), headers: { 'Idempotency-Key': key } });
      assert.deepEqual([answer.status, answer.body.errors[0].path], [422, 'idempotency-key'], key);
      assert.equal(answer.body.errors[0].message, 'must be a UUID, and not the nil one', key);
    }
  });
});

describe('operator API: the state in conflicts', () => {
  stopAfterEach();

  it('is sent with a stale revision, another hash, another state and a pause', async () => {
    const { ask } = await givenOperator();
    const { id } = (await ask('POST', '/api/missions', { body: schedule() })).body;
    const record = (await ask('POST', `/api/missions/${id}/execute?wait=1`)).body;
    const review = (changes: object) =>
      ask('POST', `/api/missions/${id}/review`, {
        body: { revision: record.revision, result_hash: record.result_hash, approve: true, note: 'x', ...changes },
      });
    const stale = await review({ revision: 1 });
    assert.deepEqual([stale.status, stale.body.code, stale.body.facts.revision], [409, 'stale_revision', record.revision]);
    assert.equal(stale.body.facts.state, 'review');
    assert.equal(stale.body.facts.result_hash, record.result_hash);
    const hash = await review({ result_hash: 'b'.repeat(64) });
    assert.deepEqual([hash.status, hash.body.code, hash.body.facts.result_hash], [409, 'hash_mismatch', record.result_hash]);
    const state = await ask('POST', `/api/missions/${id}/execute`);
    assert.deepEqual([state.status, state.body.code], [409, 'wrong_state']);
    await ask('POST', '/api/control', { body: { state: 'paused' } });
    const paused = await review({});
    assert.deepEqual([paused.status, paused.body.code, paused.body.hint], [409, 'paused', 'agent-cli resume']);
  });
});

describe('operator API: bodies at their limits', () => {
  stopAfterEach();
  const padded = (bytes: number): string => {
    const text = JSON.stringify(forecast());
    return text + ' '.repeat(bytes - text.length);
  };

  it('are accepted with 524288 bytes, and refused with one more before they are read', async () => {
    const operator = await givenOperator();
    assert.equal((await operator.ask('POST', '/api/missions', { body: padded(524_288) })).status, 201);
    const before = size(operator);
    const large = await operator.ask('POST', '/api/missions', { body: padded(524_289) });
    assert.deepEqual([large.status, large.body.code], [413, 'too_large']);
    assert.equal(size(operator), before);
  });

  it('are refused with 400 when not JSON, and with 422 and the path when not a mission, without repeating input', async () => {
    const operator = await givenOperator();
    const before = size(operator);
    for (const [body, status, path] of [
      ['', 400, /ends too early/],
      ['\ufeff{}', 400, /byte order mark \(BOM\)/],
      ['{"goal":"a","goal":"b"}', 400, /duplicate member/],
      ['[]', 422, ''],
      ['{"__proto__":{},"goal":"SECRET-1","work":{"kind":"SECRET-2"}}', 422, '__proto__'],
      [JSON.stringify({ ...forecast(), extra: 'SECRET-3' }), 422, 'extra'],
      [JSON.stringify({ goal: 'abc', work: { kind: 'forecast', observations: ['SECRET-4'] } }), 422, 'work.observations'],
    ] as const) {
      const answer = await operator.ask('POST', '/api/missions', { body });
      assert.equal(answer.status, status, `${body.slice(0, 60)}: ${answer.text}`);
      assert.equal(answer.body.code, status === 400 ? 'malformed' : 'invalid', answer.text);
      if (typeof path === 'string') assert.equal(answer.body.errors[0].path, path, answer.text);
      else assert.match(answer.body.detail, path);
      assert.ok(!answer.text.includes('SECRET'), answer.text);
    }
    assert.equal(size(operator), before);
  });

  it('are accepted with a note of 2000 characters, and refused with 2001', async () => {
    const { ask } = await givenOperator();
    const { id } = (await ask('POST', '/api/missions', { body: schedule() })).body;
    const { revision, result_hash } = (await ask('POST', `/api/missions/${id}/execute?wait=1`)).body;
    const review = (note: string) =>
      ask('POST', `/api/missions/${id}/review`, { body: { revision, result_hash, approve: false, note } });
    for (const note of ['', ' '.repeat(5), 'n'.repeat(2_001)]) {
      const answer = await review(note);
      assert.deepEqual([answer.status, answer.body.errors[0].path], [422, 'note']);
    }
    assert.equal((await review('n'.repeat(2_000))).status, 200);
  });
});

describe('operator API: a list of 10 000 missions', () => {
  let operator: GivenOperator;
  before(async () => {
    operator = await givenOperator({ checkReplies: false }, (home) => {
      const commands = Array.from({ length: 10_000 }, (_, i) => submit(i, i % 1_000 === 7 ? `Été ${i}` : `mission ${i}`));
      for (let i = 0; i < commands.length; i += 1_000) write(home, commands.slice(i, i + 1_000));
    });
  });
  after(stopOperators);

  it('is read page by page, filtered and searched', async () => {
    const seen = new Set<string>();
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      const page: Loose = await operator.get(`/api/missions?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`, 'viewer');
      for (const { id } of page.items) seen.add(id);
      cursor = page.next_cursor;
      assert.ok(pages < 20);
    }
    assert.equal(seen.size, 10_000);
    const found = await operator.get(`/api/missions?q=${encodeURIComponent('éTé')}`);
    assert.deepEqual([found.items.length, found.next_cursor], [10, null]);
    const first = await operator.get(`/api/missions?limit=4&q=${encodeURIComponent('été')}`);
    const rest = await operator.get(`/api/missions?limit=50&q=${encodeURIComponent('été')}&cursor=${first.next_cursor}`);
    assert.deepEqual([...first.items, ...rest.items], found.items);
    const [one] = (await operator.get(`/api/missions?q=${uuidOf(77)}`)).items;
    assert.equal(one.goal, 'mission 77');
    assert.equal((await operator.get('/api/missions?q=nothing+of+the+kind')).items.length, 0);
  });

  for (const [query, path] of [
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=1.5', 'limit'],
    ['cursor=0', 'cursor'],
    ['cursor=x', 'cursor'],
    ['state=done', 'state'],
    ['kind=other', 'kind'],
    ['q=', 'q'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['state=queued&state=failed', 'state'],
    ['other=1', 'other'],
  ] as const) {
    it(`refuses ?${query.slice(0, 30)}`, async () => {
      const answer = await operator.ask('GET', `/api/missions?${query}`);
      assert.deepEqual([answer.status, answer.body.errors[0].path], [422, path]);
    });
  }
});

function write({ writer, moveSnapshot }: Home, commands: readonly ReturnType<typeof submit>[]): void {
  writer.begin();
  for (const outcome of writer.run(commands)) if ('error' in outcome) throw outcome.error;
  moveSnapshot();
}
