import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { integerText, object, withDefault } from '../../src/codec/kit.js';
import type { Actor } from '../../src/http/core/context.js';
import { endpoint, type Endpoint } from '../../src/http/core/endpoint.js';
import { until } from '../support/app/given-daemon.js';
import { connected, type Given, givenServer, type GivenOptions, holderOf, tokens } from './given-server.js';
import { assertSecured, problemIn, request } from './plain-http.js';
import { EventStreams, type FeedItem } from '../../src/http/operator/events.js';
import { exchangeRaw } from './raw-client.js';

type Source = (after: number, signal: AbortSignal) => AsyncIterable<FeedItem>;

const feed = (streams: EventStreams, source: Source): Endpoint =>
  endpoint({
    route: 'GET /events',
    auth: 'viewer',
    summary: 'Entries as they come',
    headers: object('EventsHeaders', { 'last-event-id': withDefault(integerText(0, Number.MAX_SAFE_INTEGER), 0) }),
    responses: { 200: { description: 'a stream of entries', type: 'text/event-stream' } },
    handle: (input) => streams.reply(input, (signal) => source(input.headers['last-event-id'], signal)),
  });

/** A server with one stream; to stop it ends the streams too, as the operator's server does. */
async function givenFeed(source: Source, options: GivenOptions = {}): Promise<Given> {
  const streams = new EventStreams(options.tokens ?? holderOf, options.limits);
  const server = await givenServer(options, [feed(streams, source)]);
  const stop = (): Promise<void> => {
    streams.stop();
    return server.stop();
  };
  return { ...server, stop };
}

const item = (id: number): FeedItem => ({ id, event: 'entry', data: { text: `line one\nline two ${id}` } });

async function* upTo(last: number, after: number): AsyncGenerator<FeedItem> {
  for (let id = after + 1; id <= last; id++) yield await Promise.resolve(item(id));
}

/** Items up to `last`, and then none until the signal. */
const thenWaits = (last: number, ends: string[], waits: string[] = []): Source =>
  async function* (after, signal) {
    try {
      yield* upTo(last, after);
      waits.push('waits');
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      ends.push('ended');
    }
  };

const subscribe = (headers: Readonly<Record<string, string>> = {}): string =>
  request('GET', '/events', { token: tokens.viewer, headers });

const hasItem = (text: string): boolean => text.includes('id: 1\n');

/** What arrives on a connection that stays open, until it is enough. */
async function listen(
  port: number,
  raw: string,
  isEnough: (text: string) => boolean = hasItem,
): Promise<{ readonly text: string; readonly socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  socket.write(raw);
  await until(() => isEnough(text), 'enough of the stream');
  return { text, socket };
}

describe('events', () => {
  it('come with their sequence as id, one data line each, and end with the source', async () => {
    const server = await givenFeed((after) => upTo(2, after));
    const { answers, closed } = await exchangeRaw(server.port, [subscribe(), request('GET', '/open')], {
      answers: 2,
      answersBefore: [0, 1],
    });
    assertSecured(answers[0]!);
    strictEqual(answers[0]!.headers['content-type'], 'text/event-stream');
    strictEqual(
      answers[0]!.body,
      'retry: 2000\n\n' +
        'id: 1\nevent: entry\ndata: {"text":"line one\\nline two 1"}\n\n' +
        'id: 2\nevent: entry\ndata: {"text":"line one\\nline two 2"}\n\n',
    );
    deepStrictEqual([answers[1]!.status, closed], [200, 'open']);
  });

  it('need a token, and HEAD opens none', async () => {
    const ends: string[] = [];
    const server = await givenFeed(thenWaits(1, ends));
    strictEqual((await exchangeRaw(server.port, request('GET', '/events'), { answers: 1 })).answers[0]!.status, 401);
    const head = await exchangeRaw(server.port, request('HEAD', '/events', { token: tokens.viewer }), { answers: 1, head: true });
    deepStrictEqual([head.answers[0]!.status, ends], [200, []]);
  });

  it('include a heartbeat in a quiet stream', async () => {
    const server = await givenFeed(thenWaits(1, []), { limits: { event_heartbeat_ms: 30 } });
    const { socket } = await listen(server.port, subscribe(), (text) => text.split(':\n\n').length >= 3);
    socket.destroy();
  });

  for (const how of ['end', 'destroy'] as const) {
    it(`end their source when the client is gone (${how})`, async () => {
      const ends: string[] = [];
      const server = await givenFeed(thenWaits(1, ends));
      const { socket } = await listen(server.port, subscribe());
      deepStrictEqual(ends, []);
      socket[how]();
      await until(() => ends.length > 0, 'the source ends');
      deepStrictEqual(ends, ['ended']);
    });
  }

  it('end for a client that takes nothing, and read no more of the source than it can take', async () => {
    let asked = 0;
    let ended = false;
    const large = 'x'.repeat(100_000);
    const endless: Source = async function* () {
      try {
        for (;;) yield await Promise.resolve({ id: ++asked, event: 'entry', data: large });
      } finally {
        ended = true;
      }
    };
    const server = await givenFeed(endless, { limits: { http_send_ms_max: 150, http_check_ms: 20, event_heartbeat_ms: 20 } });
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(subscribe());
    await until(() => ended && server.log().length > 0, 'it is cut off');
    const seen = asked;
    deepStrictEqual([seen > 1, seen < 1_000], [true, true]);
    strictEqual(server.log()[0]?.cut, true);
    await sleep(50);
    strictEqual(asked, seen);
    socket.destroy();
  });

  it('are bounded in the number of streams, and an ended one makes room', async () => {
    const server = await givenFeed(thenWaits(1, []), { limits: { event_streams_max: 1 } });
    const { socket } = await listen(server.port, subscribe());
    const { answers } = await exchangeRaw(server.port, subscribe(), { answers: 1 });
    deepStrictEqual([problemIn(answers[0]).code, answers[0]!.headers['retry-after']], ['unavailable', '10']);
    socket.destroy();
    await connected(server, 0);
    const again = await listen(server.port, subscribe(), (text) => text.includes('\r\n\r\n'));
    again.socket.destroy();
    ok(again.text.startsWith('HTTP/1.1 200 '), again.text);
  });

  it('are bounded in the number of streams of one actor, and others still open theirs', async () => {
    const limits = { event_streams_max: 3, event_streams_per_actor_max: 2 };
    const server = await givenFeed(thenWaits(1, []), { limits });
    const held = [await listen(server.port, subscribe()), await listen(server.port, subscribe())];
    const { answers } = await exchangeRaw(server.port, subscribe(), { answers: 1 });
    const { code, detail } = problemIn(answers[0]);
    deepStrictEqual(
      [code, detail, answers[0]!.headers['retry-after']],
      ['unavailable', '2 event streams with this token are open, and no more are allowed', '10'],
    );
    held.push(await listen(server.port, request('GET', '/events', { token: tokens.reviewer })));
    for (const { socket } of held.splice(0)) socket.destroy();
    await connected(server, 0);
    const again = await listen(server.port, subscribe());
    again.socket.destroy();
  });

  it('are cut off when the source fails, so that the client does not take them for complete', async () => {
    const failing: Source = async function* () {
      yield await Promise.resolve(item(1));
      throw new Error('the journal cannot be read');
    };
    const server = await givenFeed(failing);
    const { answers, rest } = await exchangeRaw(server.port, subscribe());
    deepStrictEqual([answers.length, rest.includes('id: 1\n'), rest.includes('journal')], [0, true, false]);
    ok(server.logText().includes('the journal cannot be read'));
    const before: Source = () => {
      throw new Error('no journal');
    };
    const other = await givenFeed(before);
    strictEqual(problemIn((await exchangeRaw(other.port, subscribe(), { answers: 1 })).answers[0]).status, 500);
  });

  it('end properly when the server stops', async () => {
    const [ends, waits]: [string[], string[]] = [[], []];
    const server = await givenFeed(thenWaits(2, ends, waits));
    const stream = exchangeRaw(server.port, subscribe());
    await until(() => waits.length > 0, 'both items are told');
    await server.stop();
    const { answers, closed } = await stream;
    deepStrictEqual([answers[0]?.body.match(/^id: .*$/gm), closed, ends], [['id: 1', 'id: 2'], 'end', ['ended']]);
  });
});

describe('events: an actor who may not read any more', () => {
  const name = 'viewer-one';
  for (const [what, becomes] of [
    ['is gone', null],
    ['has another role', { name, role: 'admin', via: 'token' }],
    ['is somebody else', { name: 'other', role: 'viewer', via: 'token' }],
    ['cannot be looked up', 'throws'],
  ] as const) {
    const given = (): { readonly actor: () => Actor | null; readonly change: () => void } => {
      let hasChanged = false;
      const actor = (): Actor | null => {
        if (!hasChanged) return { name, role: 'viewer', via: 'token' };
        if (becomes === 'throws') throw new Error('not as signed');
        return becomes;
      };
      return { actor, change: () => (hasChanged = true) };
    };

    it(`gets no further item when it ${what}`, async () => {
      const { actor, change } = given();
      const source: Source = async function* () {
        yield await Promise.resolve(item(1));
        change();
        yield item(2);
      };
      const server = await givenFeed(source, { tokens: actor });
      const { answers } = await exchangeRaw(server.port, [subscribe()], { answers: 1 });
      const told = answers[0]?.body ?? '';
      deepStrictEqual([told.includes('id: 1\n'), told.includes('id: 2\n')], [true, false]);
    });
  }
});
