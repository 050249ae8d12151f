import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { JsonText } from '../../src/base/json-text.js';
import { RefusalError } from '../../src/base/refusal.js';
import { integer, object, optional, required, text } from '../../src/codec/kit.js';
import { bytes, endpoint, type Endpoint, json, type Reply } from '../../src/http/core/endpoint.js';
import { givenServer, plainEndpoints, tokens, type Given } from './given-server.js';
import { problemIn, request, assertSecured } from './plain-http.js';
import { exchangeRaw, type Answer } from './raw-client.js';

const ask = async (server: Given, raw: string): Promise<Answer> =>
  (await exchangeRaw(server.port, raw, { answers: 1 })).answers[0]!;

const post = (body: string, headers: Readonly<Record<string, string>> = {}): string =>
  request('POST', '/things', { token: tokens.admin, body, headers });

describe('input: JSON', () => {
  it('responds with 422 to more than 50,000 values, with the path of the first that is too many', async () => {
    const server = await givenServer();
    const problem = problemIn(await ask(server, post(`{"said":"hi","list":[${Array(49_998).fill('1').join(',')}]}`)));
    deepStrictEqual([problem.status, problem.code], [422, 'invalid']);
    match(String(problem.detail), /^list\[49997\]: more than 50000 values/);
    deepStrictEqual(server.work, []);
  });

  it('requires the type JSON in UTF-8', async () => {
    const server = await givenServer();
    const of = async (type: string): Promise<number> =>
      (await ask(server, post('{"said":"hi"}', { 'Content-Type': type }))).status;
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
      strictEqual(await of(type), 201, type);
    }
    const untyped = post('{"said":"hi"}').replace('Content-Type: application/json\r\n', '');
    strictEqual((await ask(server, untyped)).status, 415);
    strictEqual((await ask(server, post(''))).status, 400, 'an empty body needs no type');
    for (const type of [
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonx',
    ]) {
      strictEqual(await of(type), 415, type);
    }
    const zipped = await ask(server, post('{"said":"hi"}', { 'Content-Encoding': 'gzip' }));
    strictEqual(problemIn(zipped).code, 'unsupported_media_type');
  });
});

describe('input: shape', () => {
  const askedFor = (asked: unknown[]): Endpoint =>
    endpoint({
      route: 'GET /asked/{id}',
      auth: 'viewer',
      summary: 'Shows what it was asked',
      params: object('Params', { id: required(text({ pattern: /^[a-z]+$/ })) }),
      query: object('Query', { q: optional(text({ max: 5 })) }),
      headers: object('Headers', { 'last-event-id': optional(text({ pattern: /^[0-9]+$/ })) }),
      responses: { 200: { description: 'asked', body: object('Seen', { seen: required(integer(1, 1)) }) } },
      handle: ({ params, query, headers }) => {
        asked.push({ params, query, headers });
        return json(200, { seen: 1 });
      },
    });
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
    request('GET', path, { token: tokens.viewer, headers });

  it('passes parameters, query and header fields decoded', async () => {
    const asked: unknown[] = [];
    const server = await givenServer({}, [askedFor(asked)]);
    strictEqual((await ask(server, get('/asked/a?q=b%20c', { 'Last-Event-ID': '7' }))).status, 200);
    strictEqual((await ask(server, get('/asked/a'))).status, 200);
    deepStrictEqual(asked, [
      { params: { id: 'a' }, query: { q: 'b c' }, headers: { 'last-event-id': '7' } },
      { params: { id: 'a' }, query: {}, headers: {} },
    ]);
  });

  it('responds with 422 and the path to what does not fit', async () => {
    const server = await givenServer({}, [askedFor([])]);
    const errorsOf = async (raw: string): Promise<unknown> => problemIn(await ask(server, raw)).errors;
    deepStrictEqual(await errorsOf(get('/asked/A')), [{ path: 'id', message: 'must match ^[a-z]+$' }]);
    deepStrictEqual(await errorsOf(get('/asked/a?q=123456')), [{ path: 'q', message: 'must have 0 to 5 characters, has 6' }]);
    deepStrictEqual(await errorsOf(get('/asked/a?q=1&q=2')), [{ path: 'q', message: 'must be a string' }]);
    deepStrictEqual(await errorsOf(get('/asked/a?more')), [{ path: 'more', message: 'unknown member' }]);
    deepStrictEqual(await errorsOf(get('/open?more=1')), [{ path: 'more', message: 'unknown member' }]);
    for (const name of ['__proto__', 'constructor', 'toString'])
      for (const query of [name, `${name}=1`])
        deepStrictEqual(await errorsOf(get(`/asked/a?${query}`)), [{ path: name, message: 'unknown member' }], query);
    deepStrictEqual(await errorsOf(get('/asked/a', { 'Last-Event-ID': 'x' })), [
      { path: 'last-event-id', message: 'must match ^[0-9]+$' },
    ]);
    const twice = get('/asked/a', { 'Last-Event-ID': '1', 'last-event-id': '2' });
    deepStrictEqual(await errorsOf(twice), [{ path: 'last-event-id', message: 'must be sent once' }]);
    deepStrictEqual(await errorsOf(post('{"said":1,"more":2}')), [
      { path: 'more', message: 'unknown member' },
      { path: 'said', message: 'must be a string' },
    ]);
    deepStrictEqual(await errorsOf(post('{"__proto__":1,"said":"hi"}')), [{ path: '__proto__', message: 'unknown member' }]);
    const dropped = request('DELETE', '/things/1', { token: tokens.admin, body: '{}' });
    deepStrictEqual(await errorsOf(dropped), [{ path: '', message: 'the body must be empty' }]);
  });

  it('never repeats input values, and repeats names only in part', async () => {
    const server = await givenServer();
    const secret = 'S3CRET';
    for (const body of [`{"said":["${secret}"]}`, `{"said":"${secret.repeat(50)}"}`, `{"said":${secret}}`, `"${secret}"`]) {
      const { body: document } = await ask(server, post(body));
      ok(!document.includes(secret), document);
    }
    const long = await ask(server, post(`{"${'n'.repeat(100_000)}":1,"said":"hi"}`));
    strictEqual(long.status, 422);
    ok(long.body.length < 2_000);
    ok(!server.logText().includes(secret));
  });
});

describe('responses of handlers', () => {
  const one = (answer: Endpoint['answer']): Endpoint => ({
    method: 'GET',
    path: '/one',
    auth: 'public',
    summary: 'One',
    responses: { 200: { description: 'fine', body: object('Fine', { fine: required(integer(0, 1)) }) } },
    answer,
  });
  const refusal = {
    code: 'stale_revision',
    detail: 'the mission has moved on',
    hint: 'agent-cli show',
    facts: { revision: 3 },
  } as const;

  it('have the status and title of the table for a refusal, thrown at once or later', async () => {
    const expected = {
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'the mission has moved on',
      code: 'stale_revision',
      facts: { revision: 3 },
      hint: 'agent-cli show',
    };
    const thrower = (): never => {
      throw new RefusalError(refusal);
    };
    for (const handle of [thrower, async () => thrower()]) {
      const server = await givenServer({}, [one(handle)]);
      deepStrictEqual(problemIn(await ask(server, request('GET', '/one'))), expected);
    }
  });

  const faults: readonly (readonly [string, Endpoint['answer']])[] = [
    ['an exception', () => Promise.reject(new TypeError('inside of the server', { cause: new Error('the cause') }))],
    [
      'a thrown text',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error
        throw 'inside of the server';
      },
    ],
    ['a status that is not announced', () => json(201, { fine: 1 })],
    ['another shape than announced', () => json(200, { fine: 2 })],
    ['another shape than announced, as text', () => json(200, new JsonText('{"fine":2}'))],
    ['no JSON', () => json(200, undefined)],
  ];
  for (const [what, handle] of faults) {
    it(`become a 500 without details, which the log has, for ${what}`, async () => {
      const server = await givenServer({}, [one(handle)]);
      const answer = await ask(server, request('GET', '/one'));
      deepStrictEqual([problemIn(answer).status, problemIn(answer).code], [500, 'fault']);
      ok(!answer.body.includes('inside'));
      const logged = server.log().find(({ msg }) => msg === 'fault');
      strictEqual(logged?.request_id, answer.headers['x-request-id']);
      if (what === 'an exception') match(JSON.stringify(logged), /inside of the server: the cause/);
      strictEqual((await ask(server, request('GET', '/open'))).status, 200);
    });
  }

  it('are refused at the start for two endpoints of one name, or a path that no router knows', async () => {
    const given = plainEndpoints([]);
    for (const endpoints of [[...given, given[0]!], [{ ...given[0]!, path: '/a/:b' }], [{ ...given[0]!, path: 'a' }]]) {
      await givenServer({ endpoints }).then(
        () => ok(false, 'started'),
        (error: unknown) => match(String(error), /cannot be routed/),
      );
    }
  });
});

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
