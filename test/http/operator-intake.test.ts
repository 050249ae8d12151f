/**
 * Files that mean harm: each is refused where it is read, and every fourth, or each, is sent to the daemon, which keeps working, records
 * nothing and leaves nothing behind.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { intake_part_bytes_max } from '../../src/codec/api-intake.js';
import { readFiles } from '../../src/intake/read.js';
import { atEffort } from '../support/effort.js';
import { type HostileFile, hostileFiles } from '../intake/hostile.js';
import { type GivenOperator, givenOperator, stopOperators } from './given-operator.js';

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
  for (const file of files.filter((each) => !isEnded(each))) {
    it(`is refused where it is read: ${file.name}`, async () => {
      const outcome = await readFiles(file.kind, [file], {});
      assert.ok(outcome.outcome === 'invalid' && outcome.errors.length === 1, JSON.stringify(outcome));
      assert.match(outcome.errors[0]?.message ?? '', file.says);
    });
  }

  for (const file of files.filter((each, i) => i % atEffort(4, 1) === 0 || isEnded(each))) {
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
