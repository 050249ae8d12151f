import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { pause, resume } from '../../src/app/control/control.js';
import { readHead } from '../../src/journal/reader.js';
import { freshFetch } from '../support/http/fetch.js';
import { until } from '../support/app/given-daemon.js';
import { schedule } from '../support/app/given-home.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';
import type { Loose } from '../support/http/schema-check.js';

interface Told {
  readonly id: string | null;
  readonly event: string;
  readonly data: Loose;
}

interface FollowOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once the stream has begun, whose place is settled then. */
  readonly onOpen?: () => void;
}

/** The events of a stream, until `enough` of them are there or it ends. */
async function follow(
  { url, tokens }: GivenOperator,
  path: string,
  enough: (told: readonly Told[]) => boolean,
  { headers = {}, onOpen }: FollowOptions = {},
): Promise<readonly Told[]> {
  const abort = new AbortController();
  const response = await freshFetch(url + path, {
    headers: { Authorization: `Bearer ${tokens.viewer}`, ...headers },
    signal: abort.signal,
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const told: Told[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    onOpen?.();
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string | null => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
      const data = field('data');
      if (data !== null) told.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(data) });
    }
    if (enough(told)) break;
  }
  abort.abort();
  return told;
}

const entries = (told: readonly Told[]): readonly Told[] => told.filter(({ event }) => event === 'entry');

describe('operator API: the feed', () => {
  stopAfterEach();
  let isOpen = false;
  const onOpen = (): boolean => (isOpen = true);
  beforeEach(() => (isOpen = false));

  it('resumes after Last-Event-ID, without a gap and without a repetition', async () => {
    const operator = await givenOperator();
    await pause(operator.home, 'operator');
    await resume(operator.home, 'operator');
    const { size } = readHead(operator.home.db);
    const all = await follow(operator, '/api/events?after=0', (told) => told.length === size);
    assert.deepEqual(
      all.map(({ id }) => Number(id)),
      Array.from({ length: size }, (_, i) => i + 1),
    );
    assert.deepEqual(all.at(-1)!.data.type, 'control.resumed');
    const rest = await follow(operator, '/api/events?after=0', (told) => told.length === 1, {
      headers: { 'Last-Event-ID': String(size - 1) },
    });
    assert.deepEqual(rest, [all.at(-1)]);
  });

  it('says first that config.json is not the signed one, and later that it is again', async () => {
    const operator = await givenOperator();
    const file = operator.home.paths.config;
    const signed = readFileSync(file);
    writeFileSync(file, `${signed.toString()} `);
    const following = follow(operator, '/api/events', (told) => told.length === 3, { onOpen });
    await until(() => isOpen);
    writeFileSync(file, signed);
    await pause(operator.home, 'operator');
    const [warning, cleared, entry] = await following;
    assert.deepEqual([warning?.id, warning?.event, warning?.data.valid], [null, 'config', false]);
    assert.match(warning?.data.reason, /^config\.json is not the configuration that the journal signs/);
    assert.deepEqual([cleared?.event, cleared?.data], ['config', { valid: true, reason: null }]);
    assert.equal(entry?.data.type, 'control.paused');
  });

  it('begins now without a position, and sends what comes, with progress that has no id', async () => {
    const operator = await givenOperator();
    const { id } = (await operator.ask('POST', '/api/missions', { as: 'reviewer', body: schedule() })).body;
    await until(() => operator.daemon.feed.newest() === readHead(operator.home.db).size);
    const following = follow(operator, '/api/events', (told) => told.some(({ data }) => data.type === 'mission.produced'), {
      onOpen,
    });
    await until(() => isOpen, 'the stream is open');
    await operator.ask('POST', `/api/missions/${id}/execute?wait=1`);
    const told = await following;
    assert.deepEqual(
      entries(told)
        .slice(0, 2)
        .map(({ data }) => [data.type, data.mission]),
      [
        ['mission.execution_requested', id],
        ['mission.leased', id],
      ],
    );
    const progress = told.filter(({ event }) => event === 'progress');
    assert.ok(progress.length > 0, 'some progress');
    for (const { id: eventId, data } of progress) {
      assert.deepEqual([eventId, data.mission, data.attempt], [null, id, 1]);
      assert.ok(data.done >= 0 && data.done <= 1 && typeof data.stage === 'string');
    }
  });
});
