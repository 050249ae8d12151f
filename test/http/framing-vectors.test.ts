import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapOf } from '../../src/codec/kit.js';
import { jsonEndpoint } from '../../src/http/core/endpoint.js';
import { json } from '../../src/http/core/reply.js';
import * as t from 'io-ts';
import { packageRoot } from '../support/package-root.js';
import { givenServer, problemIn } from './given-server.js';
import { assertSecured } from './plain-http.js';
import { exchangeRaw } from './raw-client.js';

interface Vector {
  readonly name: string;
  readonly raw_b64: string;
  readonly mode: 'rst' | null;
  readonly expected: string;
}
const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'framing', 'requests.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];

/** The responses of this server, for every vector whose response is not a plain 400. */
const answers: Readonly<Record<string, readonly number[]>> = {
  'valid CL': [200],
  'POST no CL, bytes follow': [411],
  // The parser of Node 20 refuses it, later ones drop the white space (RFC 9110, section 5.5).
  'CL trailing TAB': [Number.parseInt(process.versions.node, 10) < 22 ? 400 : 200],
  'CL no SP after colon': [200],
  'CL leading zeros': [200],
  'CL 2^63': [413],
  'CL 524289, nothing sent': [413],
  'HTTP/1.0 + CL': [200],
  'smuggled GET after CL 0': [200],
  'body shorter then RST': [],
  'Expect 100-continue + CL': [100, 200],
  'Expect other': [417],
  'DELETE no CL': [411],
  'PATCH no CL': [411],
  'Upgrade + CL': [200],
  '2001 headers': [431],
  'leading CRLFs before request': [200],
};

/** Vectors that must reach the handler, with the body that it sees. */
const worked: Readonly<Record<string, string>> = { 'smuggled GET after CL 0': '' };

describe('framing: every vector over a socket', () => {
  it('has 60 vectors, and the table names only them', () => {
    strictEqual(vectors.length, 60);
    deepStrictEqual(
      Object.keys(answers).filter((name) => !vectors.some((vector) => vector.name === name)),
      [],
    );
  });

  for (const { name, raw_b64, mode, expected } of vectors) {
    const statuses = answers[name] ?? [400];
    it(`has the statuses ${statuses.join(', ') || 'no answer'} for ${name}`, async () => {
      const server = await givenServer(name.startsWith('JSON') ? { endpoints: [jsonAtM] } : {});
      const keepsOpen = statuses.at(-1) === 200 && name !== 'smuggled GET after CL 0' && !name.startsWith('HTTP/1.0');
      const received = await exchangeRaw(server.port, Buffer.from(raw_b64, 'base64'), {
        // A body that is refused for what it says leaves the connection open, for as long as an idle one may be.
        ...(keepsOpen || name.startsWith('JSON') ? { answers: statuses.length } : {}),
        afterwards: mode === 'rst' ? 'reset' : 'keep',
      });
      deepStrictEqual(
        received.answers.map(({ status }) => status),
        statuses,
      );
      strictEqual(received.rest, '');
      received.answers.forEach(assertSecured);
      if (statuses.length === 1 && statuses[0]! >= 400) {
        problemIn(received.answers[0]);
        if (!name.startsWith('JSON')) strictEqual(received.closed, 'end', 'the connection ends after a refusal');
      }
      if (!keepsOpen && mode === null && !name.startsWith('JSON'))
        strictEqual(received.answers.at(-1)?.headers.connection, 'close');
      const last = statuses.at(-1);
      deepStrictEqual(server.work, last === 200 ? [worked[name] ?? 'hello'] : []);
      if (last !== undefined) match(expected, last === 200 ? /2xx|first answered/ : new RegExp(String(last)));
      else ok(expected.includes('no response'));
    });
  }
});

const jsonAtM = jsonEndpoint({
  method: 'POST',
  path: '/m',
  auth: 'public',
  summary: 'Takes JSON',
  body: mapOf(t.unknown),
  responses: { 200: { description: 'what came', body: mapOf(t.unknown) } },
  handle: ({ body }) => json(200, body),
});
