import { deepStrictEqual, ok as truly, strictEqual } from 'node:assert';
import fc from 'fast-check';
import { effort } from '../support/effort.js';
import { givenServer, tokens } from './given-server.js';
import { assertSecured, request } from './plain-http.js';
import { pieces } from './pieces.js';
import { exchangeRaw } from './raw-client.js';

/** Requests that are good. */
const wholes = [
  request('POST', '/m', { body: 'hello' }),
  request('POST', '/things', { token: tokens.admin, body: '{"said":"hi"}' }),
  request('GET', '/things/1', { token: tokens.viewer }),
  request('GET', '/open'),
  request('OPTIONS', '/m'),
];
describe('any bytes', () => {
  it('are given whole, secured responses, and the server continues', async () => {
    const server = await givenServer({ limits: { http_linger_ms_max: 100 } });
    const edit = fc.record({
      at: fc.nat(400),
      drop: fc.nat(3),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })),
    });
    const sent = fc.record({
      wholes: fc.array(fc.constantFrom(...wholes), { minLength: 1, maxLength: 3 }),
      edits: fc.array(edit, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(sent, async ({ wholes, edits }) => {
        const raw = edits.reduce((text, { at, drop, put }) => text.slice(0, at) + put + text.slice(at + drop), wholes.join(''));
        const done = server.work.length;
        const { answers, rest, closed } = await exchangeRaw(server.port, Buffer.from(raw, 'latin1'), {
          afterwards: 'end',
        });
        strictEqual(rest, '', 'whole answers only');
        truly(closed !== 'open', 'a client that ended is let go');
        answers.forEach(assertSecured);
        const fine = answers.filter(({ status }) => status === 200 || status === 201);
        const work = server.work.slice(done);
        truly(work.length <= fine.length, 'work that was not answered as done');
        truly(work.every((body) => raw.includes(body)));
        const final = answers.filter(({ status }) => status >= 200);
        const first = final.findIndex(({ headers }) => headers.connection === 'close');
        if (first >= 0) strictEqual(first, final.length - 1, 'an answer behind the last one');
      }),
      { numRuns: 150 * effort },
    );
    const { answers } = await exchangeRaw(server.port, wholes[3]!, { answers: 1 });
    deepStrictEqual(answers[0]!.status, 200);
  });
});
