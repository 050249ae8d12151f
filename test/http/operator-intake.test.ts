/**
 * Files that mean harm: each is refused. Every fourth, or each, is sent to the daemon, which keeps working, records nothing and leaves nothing
 * behind; the others are read here. Sound ones become missions.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { intake_part_bytes_max } from '../../src/codec/api-intake.js';
import { readFiles } from '../../src/intake/read.js';
import { atEffort } from '../support/effort.js';
import { type HostileFile, hostileFiles } from '../intake/hostile.js';
import { type GivenOperator, givenOperator, stopOperators, stopAfterEach } from './given-operator.js';
import { packageRoot } from '../support/package-root.js';
import type { Got } from './plain-http.js';
import { membersOf } from '../support/lists.js';

/** Between two questions to the daemon, which leave the machine time to read the file. */
const between_ms = 100;

/** Returns how many processes that read files this one has. */
const reading = (): number =>
  execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).split('read-worker').length - 1;

async function send({ ask }: GivenOperator, { name, bytes }: HostileFile): Promise<string> {
  const opened = await ask('POST', '/api/intake', { body: { files: [{ name, bytes: bytes.length }] } });
  assert.equal(opened.status, 201, opened.text);
  const path = `/api/intake/${opened.body.draft}`;
  for (let at = 0; at < bytes.length; at += intake_part_bytes_max) {
    const data = bytes.subarray(at, at + intake_part_bytes_max).toString('base64');
    const received = await ask('POST', `${path}/parts`, { body: { file: 0, at, data } });
    assert.equal(received.status, 200, received.text);
  }
  return path;
}

describe('operator API: files that mean harm', () => {
  let operator: GivenOperator;
  let events: number;
  before(async () => {
    operator = await givenOperator();
    events = (await operator.get('/api/status')).journal.events;
  });
  after(stopOperators);

  // What ends only with its process is not read in this one.
  const files = hostileFiles();
  const isEnded = ({ says }: HostileFile): boolean => says.source.includes('memory');
  const isSent = (file: HostileFile, i: number): boolean => i % atEffort(4, 1) === 0 || isEnded(file);
  for (const file of files.filter((each, i) => !isSent(each, i))) {
    it(`is refused where it is read: ${file.name}`, async () => {
      const outcome = await readFiles(file.kind, [file], {});
      assert.ok(outcome.outcome === 'invalid' && outcome.errors.length === 1, JSON.stringify(outcome));
      assert.match(outcome.errors[0]?.message ?? '', file.says);
    });
  }

  for (const file of files.filter(isSent)) {
    it(`is refused, while the daemon responds: ${file.name}`, async () => {
      const path = await send(operator, file);
      const state = { isDone: false };
      const read = operator.ask('POST', path, { body: { kind: file.kind } }).finally(() => (state.isDone = true));
      do {
        assert.equal((await operator.ask('GET', '/healthz', { as: 'none' })).status, 200);
        await Promise.race([read, sleep(between_ms)]);
      } while (!state.isDone);
      const { status, body, text } = await read;
      assert.equal(status, 200, text);
      assert.deepEqual([body.outcome, body.errors.length], ['invalid', 1], text);
      assert.match(body.errors[0].message, file.says);
    });
  }

  it('leaves no entry, process and file', async () => {
    assert.equal((await operator.get('/api/status')).journal.events, events);
    assert.equal(reading(), 0);
    const directory = join(operator.home.paths.directory, 'intake');
    await operator.stop();
    assert.deepEqual(existsSync(directory) ? readdirSync(directory) : [], []);
  });
});

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

  it('refuses a draft that lacks what no file gives, with the paths of the mission file, and options that exclude each other', async () => {
    const operator = await givenOperator();
    const draft = await sent(operator, 'proposals.csv', vector('proposals.csv'), 100_000);
    assert.equal((await read(operator, draft, { kind: 'allocation' })).body.outcome, 'draft');
    const refused = await operator.ask('POST', '/api/missions', { as: 'reviewer', body: { draft } });
    assert.equal(refused.status, 422);
    assert.deepEqual(membersOf(refused.body.errors, 'path'), ['work.budget']);
    const both = await read(operator, draft, { kind: 'forecast', options: { sum: true, mean: true } });
    assert.deepEqual([both.status, membersOf(both.body.errors, 'path')], [422, ['options.mean']]);
  });

  it('leaves no file in the home when it stops', async () => {
    const operator = await givenOperator();
    await sent(operator, 'picture.csv', vector('picture.csv'), 100_000);
    assert.equal(readdirSync(join(operator.given.directory, 'intake')).length, 1);
    await operator.stop();
    assert.ok(!readdirSync(operator.given.directory).includes('intake'));
  });
});
