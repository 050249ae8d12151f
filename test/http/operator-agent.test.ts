/** The role `agent`: which routes an assistant may use, what it never reads, and how much it may submit and have executed. */
import assert from 'node:assert/strict';
import { throwToAssistant } from '../../src/app/missions/assistants.js';
import { failureRefusal } from '../../src/app/missions/attempt-record.js';
import { takeLease } from '../../src/app/missions/lease.js';
import { record } from '../../src/app/missions/record.js';
import { cancelMission, listPage, requestExecution, showMission } from '../../src/app/missions/missions.js';
import { submitMission } from '../../src/app/missions/submit.js';
import { createToken } from '../../src/app/tokens/change.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { ok, RefusalError, unwrap } from '../../src/base/refusal.js';
import type { Home } from '../../src/app/home/home.js';
import type { MissionEvent } from '../../src/domain/mission.js';
import { problemOf } from '../../src/http/core/problem.js';
import { missionRequest } from '../../src/kinds/request.js';
import { decode } from '../../src/codec/kit.js';
import { readHead } from '../../src/journal/reader.js';
import {
  answered,
  fakeEngine,
  forecast,
  produced,
  queued,
  rejectsRefusal,
  research,
  review,
  throwsRefusal,
} from '../support/app/given-home.js';
import type { Loose } from '../support/http/schema-check.js';
import { temporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { type Ask, givenOperator, type GivenOperator, stopAfterEach, stopOperators } from './given-operator.js';
import type { Got } from './plain-http.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly agent: 'any' | 'may_execute' | 'none';
}

async function operationsOf({ get }: GivenOperator): Promise<Operation[]> {
  const { paths } = await get('/api/openapi.json');
  return Object.entries<Loose>(paths).flatMap(([path, item]) =>
    Object.entries<Loose>(item)
      .filter(([, { 'x-role': role }]) => role !== 'public')
      .map(([method, { 'x-agent': agent = 'none' }]) => ({ method: method.toUpperCase(), path, agent })),
  );
}

type AskAs = (method: string, path: string, options?: Ask) => Promise<Got>;

/** An assistant's token in a home, and requests with it. */
async function agent({ ask, home }: GivenOperator, name: string, mayExecute = false): Promise<AskAs> {
  const { token } = await createToken(home, name, 'agent', 'operator', undefined, { mayExecute });
  return (method, path, options = {}) =>
    ask(method, path, { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } });
}

const bodies: Readonly<Record<string, unknown>> = {
  '/api/missions': forecast(),
  '/api/intake': { files: [{ name: 'a.csv', bytes: 1 }] },
};

describe('operator API: the role agent', () => {
  let operator: GivenOperator;
  let operations: Operation[];
  before(async () => {
    operator = await givenOperator();
    operations = await operationsOf(operator);
  });
  after(stopOperators);

  it('reads, and creates missions; executing needs a permission of its own', () => {
    const allowed = operations.filter((one) => one.agent !== 'none' && one.method !== 'GET');
    assert.deepEqual(allowed.map(({ method, path, agent: may }) => `${method} ${path} ${may}`).toSorted(), [
      'POST /api/intake any',
      'POST /api/intake/{id} any',
      'POST /api/intake/{id}/parts any',
      'POST /api/missions any',
      'POST /api/missions/{id}/execute may_execute',
    ]);
    const read = operations.filter((one) => one.agent !== 'none').map(({ path }) => path);
    // What is declared for nobody is closed to assistants, so a new route needs no line here.
    const closed =
      /^\/(?:metrics|api\/(?:agents|alerts|approvers|doctor|events|invoices|wallet|journal$|journal\/entries))|\/(?:events|review|subject|verify-receipt|settle|invoice|recover|cancel)$/;
    assert.ok(!read.some((path) => closed.test(path)), read.join(', '));
    assert.ok(operations.filter(({ path }) => closed.test(path)).length >= 20);
  });

  it('is held to the document on every route, and what is refused records nothing', async () => {
    const [plain, executing] = [await agent(operator, 'plain'), await agent(operator, 'executing', true)];
    for (const { method, path, agent: may } of operations) {
      const at = path.replace('{id}', uuidOf(7)).replace('{sequence}', '1').replace('{kind}/{format}', 'forecast/csv');
      const body = method === 'GET' ? {} : { body: bodies[path] ?? {} };
      for (const [ask, isAllowed] of [
        [plain, may === 'any'],
        [executing, may !== 'none'],
      ] as const) {
        const before = readHead(operator.home.db).size;
        const got = await ask(method, at, body);
        if (isAllowed) assert.ok(![401, 403, 405].includes(got.status), `${method} ${path}: ${got.status}`);
        else assert.deepEqual([got.status, got.body.code, readHead(operator.home.db).size], [403, 'forbidden', before], path);
      }
    }
    assert.match((await plain('POST', `/api/missions/${uuidOf(7)}/execute`)).body.detail, /made without --may-execute/);
  });

  it('is named in what it causes, and its token shows what it may do', async () => {
    const ask = await agent(operator, 'claude');
    const { id } = (await ask('POST', '/api/missions', { body: forecast() })).body;
    const submitted = (await operator.get(`/api/missions/${id}/events`)).items[0].document;
    assert.deepEqual([submitted.actor, submitted.via, submitted.assistant], ['claude', 'token', true]);
    assert.equal((await operator.get(`/api/missions/${id}`)).assistant, 'claude');
    const listed = (await operator.get('/api/missions')).items.find((item: Loose) => item.id === id);
    assert.equal(listed.assistant, 'claude');
    assert.deepEqual((await ask('GET', '/api/status')).body.actor, { name: 'claude', role: 'agent' });
  });
});

// What an assistant never reads

/** Texts of results before their approval, and of held-out cases. None occurs anywhere else. */
const hidden = ['UNSEEN-RESULT', 'UNSEEN-STAGE', 'HELDOUT-ARG', 'HELDOUT-VALUE', 'HELDOUT-GIVEN'];
const heldout = [{ args: ['HELDOUT-ARG'], expected: 'HELDOUT-VALUE' }];
const code = { goal: 'greet', work: { kind: 'code', language: 'python', heldout, candidate: 'def solve(x): return x' } };
const zero = '0'.repeat(64);

const failures = [
  { set: 'heldout', case: 1, verdict: 'wrong', args: '["HELDOUT-ARG"]', expected: '"HELDOUT-VALUE"', given: '"HELDOUT-GIVEN"' },
];
const codegen = {
  image: 'i',
  attempts: [{ source: 'given', ended: '', elapsed_ms: 1, verdicts: { examples: [], heldout: ['wrong'] }, failures }],
};
const message = '1 of 1 held-out cases failed: case 1 (HELDOUT-GIVEN)';

/** A code mission after events that only a container engine causes otherwise. */
async function codeMission(home: Home, end: 'queued' | 'failed' | 'review' | 'completed'): Promise<string> {
  const { id } = await queued(home, code);
  if (end === 'queued') return id;
  const result = {
    method: 'given',
    image: `sha256:${zero}`,
    code: code.work.candidate,
    case_count: 1,
    passed: 1,
    accuracy: 1,
    verdicts: { examples: [], heldout: ['passed'] },
    limits: 'UNSEEN-RESULT'.repeat(end === 'review' ? 1 : 0),
  };
  const result_hash = sha256Hex(canonicalJson(result));
  const at = { attempt: 1 };
  const engine = { name: 'e', version: '1' };
  const verification = { passed: true, checks: [], failure: null };
  const now = '2026-11-20T05:00:00.000000Z';
  const lease = { state: 'running', lease_expires_at: now, config_hash: zero, max_evaluations: 1 } as const;
  const reviewed = { approved: true, at: now, note: 'ok', result_hash, actor: 'operator' };
  const all: MissionEvent[] = [
    { type: 'mission.leased', document: { ...at, ...lease, engine, parent: null, parent_digest: null, actor: 'operator' } },
    { type: 'mission.staged', document: { ...at, index: 0, role: 'codegen', detail: codegen } },
  ];
  const error = { code: 'execution_failed', message, stage: 'codegen' } as const;
  const search = { solution: null, warm_start: null, effort: { max_evaluations: 1, iterations: 1 } };
  const made = { ...at, state: 'review', result, result_hash, ...search, verification } as const;
  if (end === 'failed') all.push({ type: 'mission.failed', document: { ...at, state: 'failed', error } });
  else all.push({ type: 'mission.produced', document: made });
  if (end === 'completed') all.push({ type: 'mission.completed', document: { state: 'completed', result, review: reviewed } });
  await home.transact((tx) => record(tx, id, ok(all)));
  assert.equal(showMission(home, id).state, end);
  return id;
}

const secretly = fakeEngine(({ input }) => answered({ method: 'UNSEEN-STAGE', goal: input.goal, text: 'UNSEEN-RESULT' }));

describe('operator API: what an assistant reads', () => {
  stopAfterEach();

  it('holds no result before its approval, and nothing of held-out cases, on any route', async () => {
    const ids: string[] = [];
    const operator = await givenOperator({}, async (home) => {
      ids.push((await produced(home, forecast(), secretly)).id, (await produced(home, research(), secretly)).id);
      const rejected = await produced(home, forecast('rejected'), secretly);
      ids.push((await review(home, rejected, { approve: false })).id);
      for (const end of ['queued', 'failed', 'review', 'completed'] as const) ids.push(await codeMission(home, end));
      const changed = { ...code, work: { ...code.work, heldout: [{ args: ['HELDOUT-ARG'], expected: 'x' }] } };
      ids.push((await queued(home, changed)).id);
    });
    const ask = await agent(operator, 'claude', true);
    const seen = new Set<string>();
    for (const { method, path, agent: may } of await operationsOf(operator)) {
      if (method !== 'GET' || may === 'none') continue;
      for (const id of path.includes('missions/{id}') ? ids : [uuidOf(7)]) {
        const at = path.replace('{id}', id).replace('{kind}/{format}', 'forecast/csv');
        const { text } = await ask('GET', at);
        for (const secret of hidden) assert.ok(!text.includes(secret), `${secret} in ${at}: ${text}`);
      }
    }
    for (const id of ids) {
      const { text } = await operator.ask('GET', `/api/missions/${id}`);
      for (const secret of hidden) if (text.includes(secret)) seen.add(secret);
    }
    assert.deepEqual([...seen].toSorted(), hidden.toSorted(), 'the values are there to be seen');
    for (const [i, id] of ids.entries()) {
      for (const as of [
        await ask('POST', `/api/missions/${id}/execute`),
        await ask('POST', '/api/missions', { headers: { 'Idempotency-Key': id }, body: code }),
        await ask('POST', `/api/missions?derived_from=${id}`, { body: { ...code, goal: `other ${i}` } }),
        await ask('POST', `/api/missions?derived_from=${id}`, { body: forecast(`unlike ${i}`) }),
      ])
        for (const secret of hidden) assert.ok(!as.text.includes(secret), `${secret} in ${as.text}`);
    }
  });

  it('is told no more of a failed execution for which it waits', async () => {
    const given = temporaryHome();
    await given.with(async (home) => {
      const failed = failureRefusal(showMission(home, await codeMission(home, 'failed')));
      assert.ok(JSON.stringify(failed).includes('HELDOUT-VALUE'));
      const told = throwsRefusal(() => throwToAssistant(new RefusalError(failed)), 'execution_failed');
      for (const secret of hidden) assert.ok(!JSON.stringify(told).includes(secret), secret);
      assert.match(told.detail, /1 of 1 held-out cases failed$/);
    });
    given.remove();
  });

  it('shows that a result waits for people, and the counts of held-out cases', async () => {
    const ids: string[] = [];
    const operator = await givenOperator({}, async (home) => {
      ids.push((await produced(home, forecast(), secretly)).id, await codeMission(home, 'completed'), (await queued(home)).id);
    });
    const [open = '', done = '', waiting = ''] = ids;
    const ask = await agent(operator, 'claude');
    const shown = async (id: string): Promise<Loose> => (await ask('GET', `/api/missions/${id}`)).body;
    assert.deepEqual([(await shown(open)).result_hidden, (await shown(open)).result], [true, null]);
    assert.deepEqual([(await shown(waiting)).result_hidden, (await shown(done)).result_hidden], [undefined, undefined]);
    const { request, result } = await shown(done);
    assert.deepEqual([request.work.heldout, result.verdicts.heldout], [{ count: 1 }, { count: 1 }]);
    assert.deepEqual([result.passed, result.case_count], [1, 1]);
    for (const path of ['export', 'report.html', 'report.md', 'report.csv']) {
      const early = await ask('GET', `/api/missions/${open}/${path}`);
      assert.deepEqual([early.status, early.body.code], [409, 'wrong_state'], path);
      const ofCode = await ask('GET', `/api/missions/${done}/${path}`);
      assert.deepEqual([ofCode.status, ofCode.body.code], [403, 'forbidden'], path);
    }
  });
});

describe('operator API: the limits of an assistant', () => {
  stopAfterEach();

  it('are 20 queued missions and 60 submissions an hour, by the journal', async () => {
    const given = temporaryHome();
    const request = unwrap(decode(missionRequest, forecast()));
    await given.with(async (home) => {
      const submit = async (key?: string, name = 'claude'): Promise<boolean> =>
        (await submitMission(home, request, key, name, { isAssistant: true })).created;
      const refusal = async (): Promise<unknown> => (await rejectsRefusal(submit(), 'too_many_requests')).facts;
      for (let n = 1; n <= 60; n++) {
        given.clock.now += 1_000;
        assert.ok(await submit(uuidOf(n)));
        if (n % 20 !== 0) continue;
        if (n < 60) assert.deepEqual(await refusal(), { retry_after_s: 60 });
        for (const { id } of listPage(home, { state: 'queued' }).items) await cancelMission(home, id, 'operator');
      }
      assert.deepEqual(await refusal(), { retry_after_s: 3_541 });
      assert.ok(!(await submit(uuidOf(60))), 'a repetition submits nothing');
      assert.ok(await submit(undefined, 'codex'), 'another assistant has its own');
    });
    await given.with(async (home) => {
      const again = () => submitMission(home, request, undefined, 'claude', { isAssistant: true });
      const { problem } = problemOf(new RefusalError(await rejectsRefusal(again(), 'too_many_requests')));
      assert.deepEqual([problem.status, problem.headers], [429, { 'Retry-After': '3541' }], 'a restart forgets nothing');
      given.clock.now += 3_541_000;
      assert.ok((await again()).created);
      await rejectsRefusal(again(), 'too_many_requests');
    });
    given.remove();
  });

  it('are one execution at a time, which it asked for itself', async () => {
    const given = temporaryHome();
    await given.with(async (home) => {
      const [{ id: first }, { id: second }, { id: third }] = [await queued(home), await queued(home), await queued(home)];
      await requestExecution(home, third, 'operator');
      const request = (id: string, name: string): Promise<unknown> => requestExecution(home, id, name, true);
      await request(first, 'claude');
      await request(first, 'claude');
      const { detail, facts } = await rejectsRefusal(request(second, 'claude'), 'too_many_requests');
      assert.equal(detail, `mission ${first} is executed for claude, which has one executed at a time`);
      assert.deepEqual(facts, { retry_after_s: 60 });
      await takeLease(home, first, { actor: 'claude' }).then(({ lock }) => lock.remove());
      await rejectsRefusal(request(second, 'claude'), 'too_many_requests');
      await request(second, 'codex');
    });
    given.remove();
  });
});
