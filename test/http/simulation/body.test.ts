import assert from 'node:assert/strict';
import { exchangeRaw } from '../raw-client.js';
import { givenSimulation, held, stopSimulations, token } from './given-simulation.js';
import { membersOf } from '../../support/lists.js';

const head = (...fields: readonly string[]): string =>
  ['POST /simulate HTTP/1.1', 'Host: a', `Authorization: Bearer ${token}`, ...fields, '', ''].join('\r\n');
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = 'Transfer-Encoding: chunked';
const limit = 1_048_576;

describe('simulation API: bodies', () => {
  let port = 0;
  before(async () => {
    ({ port } = await givenSimulation({ service: { simulate: held, waiting_max: 100 } }));
  });
  after(stopSimulations);

  const answerOf = async (bytes: string | readonly (string | Buffer)[], at = port) => {
    const received = await exchangeRaw(at, bytes, { answers: 1 });
    assert.equal(received.answers.length, 1);
    const { status, body, headers } = received.answers[0]!;
    if (status >= 400) assert.equal(headers['content-type'], 'application/problem+json');
    return { status, body: JSON.parse(body), headers };
  };

  it('are read in chunks, cut anywhere, also with trailers', async () => {
    const text = '{"horizon":3}';
    const bytes = `${head(chunked)}${chunk(text.slice(0, 4))}${chunk(text.slice(4))}0\r\nX-Trailer: 1\r\n\r\n`;
    for (const cut of [0, head(chunked).length, head(chunked).length + 2, bytes.length - 3]) {
      const { status } = await answerOf([bytes.slice(0, cut), bytes.slice(cut)].filter((part) => part !== ''));
      assert.equal(status, 200);
    }
  });

  it('leave the connection open after a chunked one', async () => {
    const bytes = `${head(chunked)}${chunk('{}')}0\r\n\r\n`;
    const { answers } = await exchangeRaw(port, [bytes, bytes, head('Content-Length: 2') + '{}'], {
      answers: 3,
      answersBefore: [0, 1, 2],
    });
    assert.deepEqual(membersOf(answers, 'status'), [200, 200, 200]);
  });

  it('may be absent where the path allows it, with and without Content-Length', async () => {
    const insight = (field: string): string =>
      head(field)
        .replace('/simulate', '/insight')
        .replace(`${field}\r\n\r\n`, field === '' ? '\r\n' : `${field}\r\n\r\n`);
    for (const field of ['', 'Content-Length: 0', chunked]) {
      const { status } = await answerOf(insight(field) + (field === chunked ? '0\r\n\r\n' : ''));
      assert.equal(status, 404, 'no run has results, which only a request that was read finds out');
    }
    assert.equal((await answerOf(head())).status, 400);
    assert.equal((await answerOf(`${head(chunked)}0\r\n\r\n`)).status, 400);
  });

  it('are read up to 1 MiB and refused beyond, by the announced and by the actual length', async () => {
    const fill = (bytes: number): string => `{${' '.repeat(bytes - 2)}}`;
    assert.equal((await answerOf([head(`Content-Length: ${limit}`), fill(limit)])).status, 200);
    assert.equal((await answerOf([head(chunked), chunk(fill(limit)), '0\r\n\r\n'])).status, 200);
    assert.equal((await answerOf(head(`Content-Length: ${limit + 1}`))).status, 413);
    assert.equal((await answerOf([head(chunked), chunk(fill(limit + 1)), '0\r\n\r\n'])).status, 413);
    const endless = [head(chunked), chunk('x'.repeat(65_536)).repeat(40)];
    assert.equal((await answerOf(endless)).status, 413);
    assert.equal((await answerOf(head(`Content-Length: ${'9'.repeat(30)}`))).status, 413);
  });

  it('are refused with 408 when they do not come in time', async () => {
    const { port: hasty } = await givenSimulation({ limits: { http_body_ms_max: 300 } });
    assert.equal((await answerOf([head('Content-Length: 10'), '{'], hasty)).status, 408);
    assert.equal((await answerOf([head(chunked), chunk('{')], hasty)).status, 408);
  });

  it('are refused with 400 when they end too early or are cut badly', async () => {
    const early = await exchangeRaw(port, [head('Content-Length: 10'), '{}'], { afterwards: 'end' });
    assert.equal(early.answers[0]?.status, 400);
    const cut = await exchangeRaw(port, [head(chunked), chunk('{}')], { afterwards: 'end' });
    assert.equal(cut.answers[0]?.status, 400);
    assert.equal((await answerOf([head(chunked), 'zz\r\n{}\r\n0\r\n\r\n'])).status, 400);
    assert.equal((await answerOf(head('Transfer-Encoding: gzip, chunked') + `${chunk('{}')}0\r\n\r\n`)).status, 400);
    assert.equal((await answerOf(head('Transfer-Encoding:'))).status, 400);
    assert.equal((await answerOf(`${head('Content-Length: 2')}{}x`)).status, 400);
  });

  it('are continued by Expect: 100-continue only for a client that may send', async () => {
    const known = await exchangeRaw(port, head('Content-Length: 2', 'Expect: 100-continue'), { answers: 1 });
    assert.equal(known.answers[0]?.status, 100);
    const unknown = await exchangeRaw(port, head('Content-Length: 2', 'Expect: 100-continue').replace(token, 'no'), {
      answers: 1,
    });
    assert.equal(unknown.answers[0]?.status, 403);
    assert.equal((await answerOf(head('Content-Length: 2', 'Expect: magic'))).status, 417);
  });

  it('are refused where none is accepted', async () => {
    const get = head('Content-Length: 2').replace('POST /simulate', 'GET /status');
    assert.equal((await answerOf(`${get}{}`)).status, 400);
    const remove = head('Content-Length: 2').replace('POST /simulate', `DELETE /runs/${'f'.repeat(16)}`);
    assert.equal((await answerOf(`${remove}{}`)).status, 422);
  });
});
