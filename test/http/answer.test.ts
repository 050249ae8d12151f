import { deepStrictEqual, match, strictEqual } from 'node:assert';
import type { Endpoint } from '../../src/http/core/endpoint.js';
import { bytes, json, type Reply } from '../../src/http/core/reply.js';
import { givenServer } from './given-server.js';
import { assertSecured, problemIn, request } from './plain-http.js';
import { exchangeRaw, type Answer } from './raw-client.js';

const at = (path: string, reply: () => Reply): Endpoint => ({
  method: 'GET',
  path,
  auth: 'public',
  summary: path,
  responses: { 200: { description: 'what it is', type: '*/*' } },
  answer: () => reply(),
});

const type = 'text/plain; charset=utf-8';
const view = new Uint8Array(new TextEncoder().encode('..grün..').buffer, 2, 5);

const endpoints = [
  at('/text', () => bytes(200, type, 'grün €')),
  at('/view', () => bytes(200, type, view)),
  at('/nothing-in-it', () => bytes(200, type, '')),
  at('/more', () => bytes(200, type, 'x', { 'X-More': 'yes', 'Content-Disposition': 'attachment' })),
  at('/broken-field', () => bytes(200, type, 'x', { Location: '/a\r\nX-Evil: 1' })),
  at('/no-json', () => json(200, undefined)),
  at('/no-stream', () =>
    bytes(200, type, () => {
      throw new Error('the journal cannot be read');
    }),
  ),
];

async function given(): Promise<(path: string) => Promise<Answer>> {
  const server = await givenServer({ endpoints, checkReplies: false });
  return async (path) => {
    // A second response shows that the connection is in order behind the first one.
    const { answers } = await exchangeRaw(server.port, request('GET', path) + request('OPTIONS', '/text'), { answers: 2 });
    assertSecured(answers[0]!);
    strictEqual(answers[1]?.status, 204);
    return answers[0]!;
  };
}

describe('responses: body and length', () => {
  it('have the length of the bytes, of a text, of a part of a buffer, and of nothing', async () => {
    const get = await given();
    const found = [];
    for (const path of ['/text', '/view', '/nothing-in-it']) {
      const { status, headers, body } = await get(path);
      found.push([status, headers['content-length'], headers['content-type'], body]);
    }
    deepStrictEqual(found, [
      [200, '9', type, 'grün €'],
      [200, '5', type, 'grün'],
      [200, '0', type, ''],
    ]);
  });

  it("have the handler's own fields, but those of security, with a body and without", async () => {
    const get = await given();
    const { headers } = await get('/more');
    deepStrictEqual([headers['x-more'], headers['content-disposition']], ['yes', 'attachment']);
  });

  it('have an id of their own, and each field once', async () => {
    const server = await givenServer({ endpoints, checkReplies: false });
    const { answers } = await exchangeRaw(server.port, request('GET', '/text') + request('GET', '/view'), { answers: 2 });
    const [one = '', two = ''] = answers.map(({ headers }) => headers['x-request-id']);
    match(one, /^[0-9a-f-]{36}$/);
    strictEqual(one === two, false);
  });
});

describe('responses that cannot be sent', () => {
  it('become a 500 with every field of security, and the server continues', async () => {
    const get = await given();
    for (const path of ['/broken-field', '/no-json', '/no-stream']) {
      const answer = await get(path);
      strictEqual(problemIn(answer).code, 'fault', path);
      strictEqual(answer.headers['x-evil'], undefined);
      strictEqual((await get('/text')).status, 200);
    }
  });
});
