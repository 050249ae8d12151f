/** Large request bodies are decoded in turn, and other requests have time in between. */
import { deepStrictEqual, ok } from 'node:assert';
import type { Endpoint } from '../../src/http/core/endpoint.js';
import { bytes } from '../../src/http/core/reply.js';
import { givenServer, plainEndpoints, tokens } from './given-server.js';
import { request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

describe('large bodies', () => {
  it('leave as much time between two of them as the first took to decode, whoever sends them', async () => {
    const decode_ms = 60;
    const decoded: { readonly began: number; readonly ended: number }[] = [];
    const slow: Endpoint = {
      ...plainEndpoints([]).find(({ path }) => path === '/m')!,
      path: '/slowly',
      answer: () => {
        const began = performance.now();
        while (performance.now() - began < decode_ms);
        decoded.push({ began, ended: performance.now() });
        return bytes(200, 'application/octet-stream', '');
      },
    };
    const { port } = await givenServer({}, [slow]);
    const sent = [tokens.reviewer, tokens.reviewer, tokens.admin, tokens.admin].map((token) =>
      exchangeRaw(port, request('POST', '/slowly', { token, body: 'x'.repeat(70_000) }), { answers: 1 }),
    );
    deepStrictEqual(
      (await Promise.all(sent)).map(({ answers }) => answers[0]?.status),
      [200, 200, 200, 200],
    );
    const rests = decoded.slice(1).map(({ began }, n) => began - decoded[n]!.ended);
    // A timer may be early by a millisecond.
    ok(
      rests.every((rest) => rest >= decode_ms - 2),
      rests.join(' '),
    );
  });
});
