import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHead } from '../../src/journal/reader.js';
import { packageRoot } from '../support/package-root.js';
import { assertSecured, problemIn } from './plain-http.js';
import { givenOperator, stopOperators, type GivenOperator } from './given-operator.js';
import { exchangeRaw } from './raw-client.js';
import { assertNone, membersOf } from '../support/lists.js';

interface Vector {
  readonly name: string;
  readonly raw_b64: string;
  readonly mode: 'rst' | null;
  /** What the specification of the vectors says, in words. */
  readonly expected: string;
}
const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'framing', 'requests.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

/** Those that are whole: they reach the endpoint, whose body they are not, or which has no such method. */
const whole: Readonly<Record<string, readonly number[]>> = {
  'valid CL': [400],
  // The parser of Node 20 refuses it, later ones drop the white space.
  'CL trailing TAB': [400],
  'CL no SP after colon': [400],
  'CL leading zeros': [400],
  'HTTP/1.0 + CL': [400],
  'smuggled GET after CL 0': [400],
  'body shorter then RST': [],
  'Expect 100-continue + CL': [100, 400],
  'Upgrade + CL': [400],
  'leading CRLFs before request': [400],
};
const others: Readonly<Record<string, readonly number[]>> = {
  'POST no CL, bytes follow': [411],
  'CL 2^63': [413],
  'CL 524289, nothing sent': [413],
  'Expect other': [417],
  'DELETE no CL': [411],
  'PATCH no CL': [411],
  '2001 headers': [431],
};

/** The same request to the real endpoint: path, Host and, after the request line, the token and the type of a body. */
function readdressed(raw: Buffer, token: string, port: number): Buffer {
  const host = `127.0.0.1:${port}`;
  const text = raw
    .toString('latin1')
    .replace(/^((?:\r\n)*)([A-Z]+) (http:\/\/x)?\/m/, (_all, lines: string, method: string, authority?: string) => {
      return `${lines}${method} ${authority === undefined ? '' : `http://${host}`}/api/control`;
    })
    .replaceAll(/^Host: x\r$/gim, `Host: ${host}\r`)
    .replace(/ HTTP\/1\.([01])\r\n/, (line) => `${line}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`);
  return Buffer.from(text, 'latin1');
}

describe('operator API: framing, sent to POST /api/control of the daemon', () => {
  let operator: GivenOperator;
  before(async () => {
    operator = await givenOperator();
  });
  after(stopOperators);

  it('pauses the agent after a sound request, so that the others could have', async () => {
    const body = '{"state":"paused"}';
    const raw = `POST /m HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const sent = readdressed(Buffer.from(raw), operator.tokens.admin, operator.port);
    const { answers } = await exchangeRaw(operator.port, sent, { answers: 1 });
    assert.deepEqual([answers[0]?.status, answers[0]?.body], [200, body]);
    assert.equal((await operator.ask('POST', '/api/control', { body: { state: 'ready' } })).status, 200);
  });

  for (const { name, raw_b64, mode, expected } of vectors) {
    const statuses = whole[name] ?? others[name] ?? [400];
    it(`has the statuses ${statuses.join(', ') || 'no answer'} for ${name}`, async () => {
      const before = readHead(operator.home.db);
      const raw = readdressed(Buffer.from(raw_b64, 'base64'), operator.tokens.admin, operator.port);
      const received = await exchangeRaw(operator.port, raw, {
        // A refused one ends its connection, as every mutation does.
        ...(mode === null ? {} : { answers: 1 }),
        afterwards: mode === 'rst' ? 'reset' : 'keep',
      });
      assert.deepEqual(membersOf(received.answers, 'status'), statuses);
      assert.equal(received.rest, '');
      received.answers.forEach(assertSecured);
      const last = received.answers.at(-1);
      if (last === undefined) assert.ok(expected.includes('no response'));
      else {
        assert.deepEqual([received.closed, last.headers['connection']], ['end', 'close']);
        const { code } = problemIn(last);
        if (name in whole) assert.equal(code, 'malformed');
        assert.match(expected, name in whole ? /2xx|first answered/ : new RegExp(String(last.status)));
      }
      assert.deepEqual(readHead(operator.home.db), before, 'the journal has not grown');
    });
  }

  it('leaves the agent running after all of them, and knows every vector', async () => {
    assert.equal((await operator.get('/api/status')).control, 'ready');
    assert.equal(vectors.length, 60);
    const names = vectors.map(({ name }) => name);
    assertNone([...Object.keys(whole), ...Object.keys(others)], (name) => !names.includes(name));
  });
});
