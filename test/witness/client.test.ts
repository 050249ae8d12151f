/** One request to a witness: where it goes, how long it may take, and what of the response is returned. */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import type { RequestListener } from 'node:http';
import { NoAnswer } from '../../src/base/exchange.js';
import { witness_answer_bytes_max, postText, readWitnessUrl } from '../../src/witness/client.js';
import { witness_ms_max } from '../../src/base/limits.js';
import { isLoopbackAddress } from '../../src/base/loopback.js';
import { withServer } from '../support/listening.js';
import { whileReplaced } from '../support/while-replaced.js';

const refused = (url: string, ms?: number): Promise<string> =>
  postText(`${url}/add-checkpoint`, 'x', ms).then(
    () => assert.fail('it was answered'),
    (error: unknown) => {
      assert.ok(error instanceof NoAnswer, String(error));
      return error.message;
    },
  );

describe('a request to a witness', () => {
  it('posts the text and returns status, media type and body', async () => {
    const seen: unknown[] = [];
    const answer = await withServer(
      (request, response) => {
        seen.push(request.method, request.url, request.headers['content-length']);
        response.writeHead(409, { 'content-type': 'Text/X.tlog.size; charset=utf-8' }).end('7\n');
      },
      (url) => postText(`${url}/a/add-checkpoint`, '— é'),
    );
    assert.deepEqual(answer, { status: 409, type: 'text/x.tlog.size', body: '7\n' });
    assert.deepEqual(seen, ['POST', '/a/add-checkpoint', '6']);
  });

  it('has ten seconds over the whole exchange, a dripping body included', async () => {
    assert.equal(witness_ms_max, 10_000);
    const drip = await withServer(
      (_, response) => {
        const timer = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(timer));
      },
      (url) => refused(url, 300),
    );
    const silent = await withServer(
      () => undefined,
      (url) => refused(url, 300),
    );
    assert.deepEqual([drip, silent], ['no whole answer within 0.3 s', 'no whole answer within 0.3 s']);
  });

  it('accepts no response that is too long, is not UTF-8, or breaks off', async () => {
    const answers: readonly (readonly [RequestListener, RegExp])[] = [
      [(_, response) => response.end(Buffer.alloc(witness_answer_bytes_max + 1, 0x61)), /more than 65536 bytes/],
      [(_, response) => response.end(Buffer.of(0xc3, 0x28)), /not UTF-8/],
      [(_, response) => response.destroy(), /ECONNRESET/],
      [
        (_, response) =>
          response.writeHead(200, { 'content-length': 9 }).write('half') && setTimeout(() => response.destroy(), 20),
        /ECONNRESET|aborted/,
      ],
    ];
    for (const [listener, message] of answers) assert.match(await withServer(listener, refused), message);
    const whole = await withServer(
      (_, response) => response.end(Buffer.alloc(witness_answer_bytes_max, 0x61)),
      (url) => postText(url, ''),
    );
    assert.equal(whole.body.length, witness_answer_bytes_max);
  });

  it('follows no redirect, and uses no proxy of the environment', async () => {
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = 'http://127.0.0.1:9';
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      let requests = 0;
      const { status } = await withServer(
        (_, response) => {
          requests++;
          response.writeHead(302, { location: '/elsewhere' }).end();
        },
        (url) => postText(url, ''),
      );
      assert.deepEqual([status, requests], [302, 1]);
    } finally {
      delete process.env['NODE_USE_ENV_PROXY'];
      if (before === undefined) delete process.env['http_proxy'];
      else process.env['http_proxy'] = before;
    }
  });

  it('fails where nothing listens, and where no TLS is spoken', async () => {
    assert.match(await refused('http://127.0.0.1:1'), /ECONNREFUSED/);
    const tls = await withServer(
      (_, response) => response.end(),
      (url) => refused(url.replace('http:', 'https:')),
    );
    assert.match(tls, /EPROTO|SSL|WRONG_VERSION/i);
  });

  it('reaches localhost by its name', async () => {
    const answer = await withServer(
      (_, response) => response.end('here'),
      (url) => postText(url.replace('127.0.0.1', 'localhost'), ''),
    );
    assert.equal(answer.body, 'here');
  });

  it('is sent over http to this machine only, also where a resolver says otherwise', async () => {
    const resolver = (addresses: readonly string[]) => (_: string, __: unknown, answer: (...args: unknown[]) => void) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    for (const addresses of [['10.0.0.7'], ['127.0.0.1', '10.0.0.7']])
      assert.match(
        await whileReplaced(dns, { lookup: resolver(addresses) }, () => refused('http://localhost:9', 2_000)),
        /localhost is not this machine, and http is allowed only on this machine/,
      );
    for (const address of ['127.0.0.1', '127.255.1.2', '::1']) assert.equal(isLoopbackAddress(address), true, address);
    for (const address of ['128.0.0.1', '10.0.0.1', '0.0.0.0', '::', '::2', '127.0.0', 'localhost', '::ffff:8.8.8.8'])
      assert.equal(isLoopbackAddress(address), false, address);
  });
});

describe("a witness's address", () => {
  for (const [text, url] of [
    ['https://witness.example', 'https://witness.example'],
    ['https://Witness.example:8443/a/b/', 'https://witness.example:8443/a/b'],
    ['http://127.0.0.1:81/', 'http://127.0.0.1:81'],
    ['http://localhost:81', 'http://localhost:81'],
    ['http://[::1]:81', 'http://[::1]:81'],
  ] as const) {
    it(text, () => assert.deepEqual(readWitnessUrl(text), { url }));
  }

  for (const [text, why] of [
    ['', /absolute URL/],
    ['witness.example', /absolute URL/],
    ['ftp://witness.example', /must use https/],
    ['http://witness.example', /unless its host is this machine/],
    ['http://127.0.0.1.example', /unless its host is this machine/],
    ['http://[::ffff:127.0.0.1]', /unless its host is this machine/],
    ['https://user@witness.example', /user or password/],
    ['https://witness.example/?a=b', /no query/],
    ['https://witness.example/#', /no fragment/],
    [`https://witness.example/${'a'.repeat(2_048)}`, /at most 2048/],
  ] as const) {
    it(`is refused: ${text.slice(0, 60)}`, () => assert.match(JSON.stringify(readWitnessUrl(text)), why));
  }
});
