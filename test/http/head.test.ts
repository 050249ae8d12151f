import { deepStrictEqual, strictEqual } from 'node:assert';
import { isAllowed, readAddress } from '../../src/http/core/head.js';
import { isOwnOrigin } from '../../src/http/operator/policy.js';
import { givenServer, tokens } from './given-server.js';
import { problemIn, request } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

describe('host: the names that a server accepts', () => {
  const yes = ['localhost', 'localhost:8765', '127.0.0.1', '127.0.0.1:1', '127.9.8.255', '[::1]', '[::1]:8765'];
  const no = [
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.localhost',
    'localhost:',
    'localhost:x',
    'localhost:65536',
    '127.0.0.1.evil.example',
    '127.0.0.256',
    '127.0.0.01',
    '127.1',
    '2130706433',
    '[::2]',
    '[127.0.0.1]',
    '[::1',
    'x,localhost',
    'localhost localhost',
    'user@localhost',
    '0.0.0.0',
  ];
  for (const host of yes) it(`include ${host}`, () => strictEqual(isAllowed(host, []), true));
  for (const host of no) it(`do not include ${host || '(empty)'}`, () => strictEqual(isAllowed(host, []), false));

  it('may be given: with a port for that port, without one for any', () => {
    const allowed = ['Agent.example', '10.0.0.5:8765'];
    const tried = ['agent.example', 'agent.example:99', '10.0.0.5:8765', '10.0.0.5:8766', '10.0.0.5'];
    deepStrictEqual(
      tried.map((host) => isAllowed(host, allowed)),
      [true, true, true, false, false],
    );
  });

  it('are separate for two servers', () => {
    const [first, second] = [['agent.example'], ['other.example']];
    const tried = [first, first, second, first, second].map((allowed) => isAllowed('agent.example', allowed));
    deepStrictEqual(tried, [true, true, false, true, false]);
  });
});

describe('host: the target', () => {
  const read = (url: string, host: string | null, version = '1.1') => {
    const { target, denial } = readAddress(version, url, host === null ? [] : ['Host', host], []);
    return denial?.code ?? target;
  };
  it('is a path, or an absolute address of the same host', () => {
    strictEqual(read('/m?q=1', 'localhost'), '/m?q=1');
    strictEqual(read('http://LocalHost:8765/m?q=1', 'localhost:8765'), '/m?q=1');
    strictEqual(read('http://localhost', 'localhost'), '/');
    strictEqual(read('http://localhost?q', 'localhost'), '/?q');
    strictEqual(read('*', 'localhost'), '*');
  });
  it('is refused where it names another host, or nothing', () => {
    strictEqual(read('http://evil/m', 'localhost'), 'malformed');
    strictEqual(read('http://user@localhost/m', 'localhost'), 'malformed');
    strictEqual(read('http://evil/m', 'evil'), 'misdirected');
    strictEqual(read('http://localhost/m', null, '1.0'), 'malformed');
    strictEqual(read('ftp://localhost/m', 'localhost'), 'malformed');
    strictEqual(read('m', 'localhost'), 'malformed');
    strictEqual(read('/m', null), 'malformed');
    strictEqual(read('/m', null, '1.0'), '/m');
  });
});

describe('origin', () => {
  const own = (origin: string | null, host: string | null): boolean =>
    isOwnOrigin(origin === null ? [] : ['oRiGin', origin], host);
  it('is accepted when it is absent, or the one that the host is served under', () => {
    strictEqual(own(null, 'localhost:8765'), true);
    strictEqual(own('http://localhost:8765', 'localhost:8765'), true);
    strictEqual(own('https://agent.example', 'agent.example'), true);
    strictEqual(own('http://agent.example', 'agent.example:80'), true);
    strictEqual(own('https://agent.example', 'agent.example:443'), true);
    strictEqual(own('http://[::1]:8765', '[::1]:8765'), true);
  });
  it('is refused when it is any other', () => {
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      'http://localhost',
      'http://localhost:8765/',
      'file://',
      'localhost:8765',
    ]) {
      strictEqual(own(origin, 'localhost:8765'), false, origin);
    }
    strictEqual(own('http://localhost:8765.evil.example', 'localhost:8765'), false);
    strictEqual(own('https://agent.example', 'agent.example:80'), false);
    strictEqual(own('http://x', null), false);
    strictEqual(isOwnOrigin(['Origin', 'http://x', 'origin', 'http://x'], 'x'), false);
  });
});

describe('head: over a socket', () => {
  const status = async (raw: string): Promise<readonly [number, unknown]> => {
    const server = await givenServer();
    const { answers } = await exchangeRaw(server.port, raw, { answers: 1 });
    return [answers[0]!.status, answers[0]!.status < 400 ? undefined : problemIn(answers[0]).code];
  };

  it('checks Host first of all: before framing, token, path and method', async () => {
    for (const raw of [
      'POST /m HTTP/1.1\r\nHost: evil\r\n\r\n',
      'POST /m HTTP/1.1\r\nHost: evil\r\nTransfer-Encoding: chunked\r\n\r\n',
      'POST /none HTTP/1.1\r\nHost: evil\r\nContent-Length: 524289\r\n\r\n',
      'GET /things/1 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
      'GET /open HTTP/1.1\r\nHost:\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: evil\r\n\r\n',
    ]) {
      deepStrictEqual(await status(raw), [421, 'misdirected'], raw);
    }
  });

  it('requires Host in HTTP/1.1, once', async () => {
    deepStrictEqual(await status('GET /open HTTP/1.1\r\n\r\n'), [400, 'malformed']);
    deepStrictEqual(await status('GET /open HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n'), [400, 'malformed']);
    deepStrictEqual(await status('GET /open HTTP/1.0\r\n\r\n'), [200, undefined]);
  });

  it('bounds heads to 16 KiB and 200 fields', async () => {
    const fields = (n: number): string => Array.from({ length: n }, (_, i) => `f${i}: 1\r\n`).join('');
    deepStrictEqual(await status(`GET /open HTTP/1.1\r\nHost: x\r\n${fields(199)}\r\n`), [200, undefined]);
    deepStrictEqual(await status(`GET /open HTTP/1.1\r\nHost: x\r\n${fields(200)}\r\n`), [431, 'headers_too_large']);
    deepStrictEqual(await status(`GET /open HTTP/1.1\r\nHost: x\r\nf: ${'v'.repeat(16_384)}\r\n\r\n`), [
      431,
      'headers_too_large',
    ]);
    deepStrictEqual(await status(`GET /${'p'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), [431, 'headers_too_large']);
    deepStrictEqual(await status(`GET /open HTTP/1.1\r\nHost: x\r\nf: ${'v'.repeat(16_000)}\r\n\r\n`), [200, undefined]);
  });

  it('refuses with 400 a field that Connection must not list, before everything but Host, and ends the connection', async () => {
    const server = await givenServer();
    const answer = async (line: string, fields: string, body = ''): Promise<readonly [number, unknown, unknown]> => {
      const raw = `${line} HTTP/1.1\r\n${fields}\r\n${body}${request('GET', '/open')}`;
      const { answers, closed } = await exchangeRaw(server.port, raw);
      strictEqual(answers.length, 1, raw);
      return [answers[0]!.status, problemIn(answers[0]).code, closed];
    };
    const length = 'Host: x\r\nContent-Length: 5\r\n';
    for (const [line, fields, body] of [
      ['POST /m', `${length}Connection: Content-Length\r\n`, 'hello'],
      ['POST /m', `${length}Connection: close, content-length\r\n`, 'hello'],
      ['POST /m', `${length}Connection: keep-alive\r\nConnection: host\r\n`, 'hello'],
      ['POST /m', 'Host: x\r\nConnection: transfer-encoding\r\n', ''],
      ['POST /things', `${length}Connection: authorization\r\n`, 'hello'],
      ['POST /nowhere', 'Host: x\r\nContent-Length: 524289\r\nConnection: content-length\r\n', ''],
      ['GET /open', 'Host: x\r\nConnection: Content-Length\r\n', ''],
    ] as const)
      deepStrictEqual(await answer(line, fields, body), [400, 'malformed', 'end'], `${line} ${fields}`);
    const foreign = 'Host: evil.example\r\nConnection: content-length\r\n';
    deepStrictEqual((await answer('GET /open', foreign)).slice(0, 2), [421, 'misdirected']);
    deepStrictEqual(server.work, []);
  });

  it('refuses CONNECT and unknown methods', async () => {
    deepStrictEqual(await status('CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'), [405, 'method_not_allowed']);
    deepStrictEqual(await status('TRACE /open HTTP/1.1\r\nHost: x\r\n\r\n'), [411, 'length_required']);
    const trace = request('TRACE', '/open', { body: '', token: tokens.admin });
    deepStrictEqual(await status(trace), [405, 'method_not_allowed']);
    deepStrictEqual(await status('BREW /open HTTP/1.1\r\nHost: x\r\n\r\n'), [400, 'malformed']);
  });

  it('serves others after clients of CONNECT have reset their connections', async () => {
    const { port } = await givenServer();
    const connecting = Array.from({ length: 10 }, () =>
      exchangeRaw(port, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', { afterwards: 'reset' }),
    );
    await Promise.all(connecting);
    strictEqual((await exchangeRaw(port, request('GET', '/open'), { answers: 1 })).answers[0]?.status, 200);
  });

  it('reads an absolute target as the same path', async () => {
    deepStrictEqual(await status('GET http://x/open HTTP/1.1\r\nHost: x\r\n\r\n'), [200, undefined]);
    deepStrictEqual(await status('GET http://x HTTP/1.1\r\nHost: x\r\n\r\n'), [401, 'unauthorized']);
    deepStrictEqual(await status('GET http://evil/open HTTP/1.1\r\nHost: x\r\n\r\n'), [400, 'malformed']);
    deepStrictEqual(await status('GET http://evil/open HTTP/1.1\r\nHost: evil\r\n\r\n'), [421, 'misdirected']);
  });

  it('ignores an upgrade', async () => {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AA==' };
    deepStrictEqual(await status(request('GET', '/open', { headers: upgrade })), [200, undefined]);
    deepStrictEqual(await status(request('GET', '/things/1', { headers: upgrade })), [401, 'unauthorized']);
  });

  it('sends 100 only where a body is accepted', async () => {
    const expect = { Expect: '100-continue' };
    deepStrictEqual(await status(request('POST', '/m', { headers: { ...expect, 'Content-Length': '524289' } })), [
      413,
      'too_large',
    ]);
    deepStrictEqual(await status(request('GET', '/open', { headers: expect })), [200, undefined]);
  });
});
