/** Responses as the pages read them: what a newer server adds is left out, what does not fit is named, and problems are shown whatever they lack. */
import assert from 'node:assert/strict';
import type * as t from 'io-ts';
import fc from 'fast-check';
import { feedEntryCodec } from '../../src/codec/api-journal.js';
import { missionPageCodec, missionRecordCodec, type MissionRecord } from '../../src/codec/api-missions.js';
import { populationCodec } from '../../src/codec/api-simulation.js';
import { statusCodec } from '../../src/codec/api-status.js';
import { page_items_max } from '../../src/base/limits.js';
import { apiFor, decodeResponse, Problem, problemOf } from '../../src/console/kit/api/client.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex as hexOf } from '../../src/base/bytes.js';
import { isIncluded, checkResultHash } from '../../src/console/kit/hash.js';
import { uuid } from '../../src/console/kit/api/uuid.js';
import { inclusionPath, leafHash, logData, type NodeReader, rangeRoot, rootOfLeaves } from '../../src/journal/merkle.js';

const id = '00000000-0000-4000-8000-000000000001';
const at = '2026-11-22T12:00:00.000000Z';
const hash = 'ab'.repeat(32);
const record: MissionRecord = {
  id,
  kind: 'forecast',
  goal: 'How much do we sell?',
  state: 'review',
  revision: 12,
  request: { work: { kind: 'forecast' } },
  request_hash: hash,
  result: { forecast: [1] },
  result_hash: hash,
  source_result_hash: null,
  derived_from: null,
  execution_request: null,
  attempt: 1,
  lease_expires_at: null,
  config_hash: hash,
  engine: { name: 'forecast', version: '1' },
  effort: { max_evaluations: 100, iterations: 3 },
  parent: null,
  parent_digest: null,
  stages: [{ role: 'planning', detail: { steps: 2 }, at }],
  verification: { passed: true, checks: ['the values'], failure: null },
  error: null,
  review: null,
  recovered_from: null,
  erased: false,
  created_at: at,
  updated_at: at,
  inference: null,
  invoice: null,
  receipt: null,
};
const { goal, kind, state, revision, updated_at } = record;

describe('console: responses', () => {
  it('that a page leaves while they arrive do not mean that the agent is away', async () => {
    const { fetch } = globalThis;
    const body = () => new ReadableStream({ pull: (stream) => stream.error(new DOMException('left', 'AbortError')) });
    globalThis.fetch = () => Promise.resolve(new Response(body()));
    const api = apiFor(null, () => undefined);
    await assert.rejects(api.get('/', statusCodec), { name: 'AbortError' }).finally(() => void (globalThis.fetch = fetch));
    assert.equal(api.reach.isAway(), false);
  });

  it('are read without the members that the page does not know, at every depth', () => {
    const [stage] = record.stages;
    const newer = { ...record, priority: 3, stages: [{ ...stage, host: 'b' }], engine: { ...record.engine, build: 7 } };
    assert.deepEqual(decodeResponse(missionRecordCodec, newer), record);
  });

  it('may have longer lists than this version sends', () => {
    const item = { id, kind, goal, state, revision, updated_at };
    const page = { items: Array.from({ length: page_items_max + 1 }, () => item), next_cursor: null };
    assert.deepEqual(decodeResponse(missionPageCodec, page), page);
  });

  it('keep the request and the result to the last member', () => {
    const later = { ...record, request: { later: [{ deep: 1 }] }, result: { later: 2 } };
    assert.deepEqual(decodeResponse(missionRecordCodec, later), later);
  });

  const unfit: readonly (readonly [string, t.Mixed, unknown, string])[] = [
    ['a member', missionRecordCodec, { ...record, revision: '12' }, 'MissionRecord.revision: must be an integer '],
    [
      'a member of a list',
      missionRecordCodec,
      { ...record, stages: [{ ...record.stages[0], at: 5 }] },
      'MissionRecord.stages[0].at: must be a string',
    ],
    ['a missing member', statusCodec, {}, 'Status.version: required'],
    ['the whole', feedEntryCodec, [record], 'FeedEntry: must be an object'],
    ['an item of a whole that is a list', populationCodec, [5], 'Individual[][0]: must be an object'],
    ['what is not JSON', statusCodec, undefined, 'Status: must be an object'],
  ];
  for (const [what, codec, body, detail] of unfit) {
    it(`are refused with the name of what does not fit: ${what}`, () => {
      assert.throws(
        () => decodeResponse(codec, body),
        (error) => error instanceof Problem && error.document.code === 'unexpected' && error.document.detail.startsWith(detail),
      );
    });
  }
});

describe('console: problem documents', () => {
  const errors = [{ path: 'goal', message: 'required' }];

  it('may have members that the page does not know', () => {
    const body = {
      code: 'invalid',
      title: 'Invalid input',
      detail: 'goal: required',
      errors: [{ ...errors[0], line: 3 }],
      trace: 'x',
    };
    const { document } = problemOf(422, '', body);
    assert.deepEqual(document, {
      code: 'invalid',
      status: 422,
      title: 'Invalid input',
      detail: 'goal: required',
      errors,
      facts: {},
      hint: null,
      retryAfter: null,
    });
  });

  it('may lack members, or have some of another shape', () => {
    const { document } = problemOf(503, 'Unavailable', { detail: 'later', title: 5, hint: 'agent-cli doctor', facts: [] }, '30');
    const { code, title, detail, hint, facts, retryAfter } = document;
    assert.deepEqual([code, title, detail, hint], ['http_503', 'Unavailable', 'later', 'agent-cli doctor']);
    assert.deepEqual([facts, retryAfter], [{}, 30]);
  });

  it('have the code of their status when their own is unknown to the page', () => {
    const { code, detail } = problemOf(409, 'Conflict', { code: 'of_later', detail: 'what a newer agent says' }).document;
    assert.deepEqual([code, detail], ['http_409', 'what a newer agent says']);
  });

  it('are made of a malformed response', () => {
    for (const body of [undefined, null, 'text', [1]])
      assert.equal(problemOf(502, 'Bad Gateway', body).document.title, 'Bad Gateway');
  });
});

describe('console: the hash of a result', () => {
  it('is the one that the agent records', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        const recorded = hexOf(canonicalJson(json));
        assert.deepEqual(checkResultHash(json, recorded), { computed: recorded, recorded, equal: true });
      }),
    );
  });

  it('differs for another result, a missing hash, and what has no canonical form', () => {
    const recorded = hexOf(canonicalJson({ makespan: 640 }));
    assert.equal(checkResultHash({ makespan: 639 }, recorded).equal, false);
    assert.equal(checkResultHash({ makespan: 640 }, null).equal, false);
    assert.deepEqual(checkResultHash('\ud800', recorded), { computed: null, recorded, equal: false });
  });
});

describe('console: inclusion proofs', () => {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

  it('lead from every entry of every tree to its root, and from no other entry', () => {
    for (let size = 1; size <= 20; size++) {
      const entries = Array.from({ length: size }, (_, i) => ({
        hash: hexOf(`entry ${i}`),
        signature: base64(Buffer.alloc(64, i + 1)),
      }));
      const leaves = entries.map(({ hash, signature }) =>
        leafHash(logData(Buffer.from(hash, 'hex'), Buffer.from(signature, 'base64'))),
      );
      const read: NodeReader = (height, index) =>
        rootOfLeaves(Buffer.concat(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height)));
      entries.forEach((entry, i) => {
        const note = `origin\n${size}\n${base64(rangeRoot(read, 0, size))}\n\n\u2014 origin AAAA\n`;
        const proof = ['c2sp.org/tlog-proof@v1', `index ${i}`, ...inclusionPath(read, i, size).map(base64), '', note].join('\n');
        assert.equal(isIncluded({ sequence: i + 1, ...entry, proof }), true, `${i} of ${size}`);
        assert.equal(isIncluded({ sequence: i + 1, ...entry, hash: hexOf('another'), proof }), false);
        assert.equal(isIncluded({ sequence: i + 2, ...entry, proof }), false);
        assert.equal(isIncluded({ sequence: i + 1, ...entry, proof: proof.replace('tlog-proof@v1', 'tlog-proof@v2') }), false);
      });
    }
  });

  it('are no proof when they are anything else', () => {
    fc.assert(
      fc.property(fc.string(), (proof) => assert.equal(isIncluded({ sequence: 1, hash: '00', signature: '', proof }), false)),
    );
  });
});

describe('console: request ids', () => {
  it('are version 4 UUIDs, each another one', () => {
    const all = Array.from({ length: 100 }, uuid);
    for (const each of all) assert.match(each, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(new Set(all).size, 100);
  });
});
