/** Large request bodies of one client: few are read at once, and the others wait unread. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { connect, type Socket } from 'node:net';
import * as t from 'io-ts';
import { afterEach } from 'mocha';
import { untypedJsonEndpoint } from '../../src/http/core/endpoint.js';
import { bytes } from '../../src/http/core/reply.js';
import { until } from '../support/given-daemon.js';
import { connected, givenServer, problemIn, tokens, type Given } from './given-server.js';
import { request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

const large = 70_000;
const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

const headOf = (token: string, fields = {}): string =>
  request('POST', '/things', { token, headers: { 'Content-Length': String(large), Expect: '100-continue', ...fields } });
const bodyOf = (said: string): string => `{"said":"${said}"}`.padEnd(large);

/** A client that announces a large body; the server permits it to go on when it reads it. */
function announce(port: number, token: string): { readonly socket: Socket; readonly text: () => string } {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  opened.push(socket.on('data', (chunk: Buffer) => void (text += chunk.toString())));
  socket.write(headOf(token));
  return { socket, text: () => text };
}

const isRead = ({ text }: { readonly text: () => string }): boolean => text().includes(' 100 Continue');

/** Two clients whose bodies are read, and one that waits, all with the token of the reviewer. */
async function given(limits: Parameters<typeof givenServer>[0] = {}): Promise<{
  readonly server: Given;
  readonly first: ReturnType<typeof announce>;
  readonly third: ReturnType<typeof announce>;
}> {
  const server = await givenServer({ ...limits });
  const first = announce(server.port, tokens.reviewer);
  await until(() => isRead(first), 'the first is read');
  const second = announce(server.port, tokens.reviewer);
  await until(() => isRead(second), 'the second is read');
  const third = announce(server.port, tokens.reviewer);
  await connected(server, 3);
  return { server, first, third };
}

describe('large bodies of one client', () => {
  it('are read two at a time, the others when one of them is decoded', async () => {
    const { server, first, third } = await given();
    const small = await exchangeRaw(
      server.port,
      request('POST', '/things', { token: tokens.reviewer, body: '{"said":"small"}' }),
      {
        answers: 1,
      },
    );
    const other = announce(server.port, tokens.admin);
    await until(() => isRead(other), 'another client is read');
    deepStrictEqual([small.answers[0]?.status, isRead(third)], [201, false]);
    first.socket.write(bodyOf('first'));
    await until(() => isRead(third), 'the third is read');
    third.socket.write(bodyOf('third'));
    await until(() => server.work.length === 3, 'all work is done');
    deepStrictEqual(server.work, ['small', 'first', 'third']);
  });

  it('give up their turn when they are refused or their client goes away', async () => {
    const { server, first, third } = await given();
    first.socket.destroy();
    await until(() => isRead(third), 'the third is read');
    const fourth = announce(server.port, tokens.reviewer);
    third.socket.write('['.repeat(large));
    await until(() => isRead(fourth), 'the fourth is read');
    strictEqual(/ 400 /.test(third.text()), true);
  });

  it('give up their turn once they are decoded, while their requests are handled', async () => {
    const releases: (() => void)[] = [];
    const held = untypedJsonEndpoint({
      method: 'POST',
      path: '/held',
      auth: 'reviewer',
      summary: 'Answers when it is told to',
      body: t.unknown,
      responses: { 200: { description: 'at last', type: 'text/plain' } },
      handle: async () => {
        await new Promise<void>((resolve) => releases.push(resolve));
        return bytes(200, 'text/plain', 'at last');
      },
    });
    const server = await givenServer({ limits: { large_bodies_max: 1 } }, [held]);
    const ask = exchangeRaw(server.port, request('POST', '/held', { token: tokens.reviewer, body: bodyOf('held') }), {
      answers: 1,
    });
    await until(() => releases.length === 1, 'it is handled');
    const other = announce(server.port, tokens.reviewer);
    await until(() => isRead(other), 'the other is read');
    for (const release of releases) release();
    strictEqual((await ask).answers[0]?.status, 200);
  });

  it('are refused with 503 and Retry-After when too many wait', async () => {
    const server = await givenServer({ limits: { large_bodies_max: 1, large_bodies_waiting_max: 0 } });
    const first = announce(server.port, tokens.reviewer);
    await until(() => isRead(first), 'the first is read');
    const { answers, closed } = await exchangeRaw(server.port, headOf(tokens.reviewer));
    deepStrictEqual([problemIn(answers[0]).code, answers[0]!.headers['retry-after'], closed], ['unavailable', '5', 'end']);
  });

  it('are refused with 503 when they waited too long', async () => {
    const { third } = await given({ limits: { large_body_wait_ms_max: 100 } });
    await until(() => third.text().includes(' 503 '), 'it is refused');
    strictEqual(isRead(third), false);
  });
});
