import { strictEqual } from 'node:assert';
import { exchangeRaw } from './raw-client.js';
import { givenServer } from './given-server.js';
import { request } from './plain-http.js';

describe('connections that leave the parser', () => {
  it('do not end the server when the client of a CONNECT resets', async () => {
    const { port } = await givenServer();
    const plan = { afterwards: 'reset' } as const;
    const asking = Array.from({ length: 10 }, () => exchangeRaw(port, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', plan));
    await Promise.all(asking);
    const { answers } = await exchangeRaw(port, request('GET', '/open'), { answers: 1 });
    strictEqual(answers[0]?.status, 200);
  });

  it('respond to an Upgrade that nobody wants as if it were not there', async () => {
    const { port } = await givenServer();
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const { answers } = await exchangeRaw(port, request('GET', '/open', { headers }), { answers: 1 });
    strictEqual(answers[0]?.status, 200);
    strictEqual(answers[0]?.headers['upgrade'], undefined);
  });
});
