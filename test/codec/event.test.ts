/** Every event type: its document comes back as it went, and nothing else is accepted in its place. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused } from '../../src/base/refusal.js';
import { decodeEvent, type EventType } from '../../src/codec/event.js';
import { documents, event, eventTypes, hex } from '../support/codec/given-events.js';

const decoded = (type: string, document: unknown, version = 1): unknown => {
  const result = decodeEvent(type, version, document);
  return isRefused(result) ? result.left.errors?.map(({ path, message }) => `${path}: ${message}`) : result.right;
};

/** Members that a document may lack, written from the specification of each event. */
const optional: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'control.initialised': ['config_blob'],
  'control.paused': ['actor'],
  'control.resumed': ['actor'],
  'mission.submitted': ['request', 'request_blob', 'ids_hash', 'actor'],
  'mission.produced': ['result', 'result_blob'],
  'mission.completed': ['kind', 'goal', 'request_hash', 'engine', 'effort', 'warm_start', 'parent', 'parent_digest'],
  'bus.received': ['envelope'],
  'simulation.requested': ['request'],
  'simulation.completed': ['outcome'],
};

/** A value that no member takes. */
const never = (value: unknown): unknown => (typeof value === 'boolean' || typeof value === 'number' ? 'no' : -1.5);

describe('event codec', () => {
  for (const type of eventTypes) {
    describe(type, () => {
      const document: Readonly<Record<string, unknown>> = documents[type];

      it('reads back unchanged from its canonical text', () => {
        assert.deepEqual(decoded(type, JSON.parse(canonicalJson(document))), { type, document });
      });

      it('refuses an unknown member', () => {
        assert.deepEqual(decoded(type, { ...document, surplus: 1 }), ['surplus: unknown member']);
      });

      it('requires each member, except those that may be absent', () => {
        for (const key of Object.keys(document)) {
          const { [key]: _, ...rest } = document;
          const expected = optional[type]?.includes(key) === true ? { type, document: rest } : [`${key}: required`];
          assert.deepEqual(decoded(type, rest), expected, key);
        }
      });

      it('refuses another type in each member', () => {
        const free = ['solution', 'warm_start'];
        for (const [key, value] of Object.entries(document)) {
          if (free.includes(key)) continue;
          const answer = decoded(type, { ...document, [key]: never(value) });
          assert.ok(Array.isArray(answer) && String(answer[0]).startsWith(`${key}: `), `${key}: ${JSON.stringify(answer)}`);
        }
      });

      it('is unknown in another version', () => {
        assert.equal(decoded(type, document, 2), null);
      });

      it('refuses what is not an object', () => {
        for (const value of [null, [], 'x', 1]) assert.deepEqual(decoded(type, value), [': must be an object']);
      });
    });
  }

  it('returns null for an unknown type, whatever its document', () => {
    for (const type of ['mission.polished', 'MISSION.LEASED', '', 'toString', '__proto__', 'constructor']) {
      assert.equal(decoded(type, { state: 'x' }), null, type);
    }
  });

  it('refuses values just outside their bounds', () => {
    const cases: readonly (readonly [EventType, Readonly<Record<string, unknown>>, string])[] = [
      ['control.paused', { actor: 'x'.repeat(65) }, 'actor'],
      ['control.configured', { state: 'ready' }, 'state'],
      ['control.configured', { config_hash: hex('c').toUpperCase() }, 'config_hash'],
      ['control.configured', { erased: Array.from({ length: 11 }, () => hex('b')) }, 'erased'],
      ['control.rollback_accepted', { incarnation: '0f'.repeat(15) }, 'incarnation'],
      ['mission.submitted', { kind: 'poem' }, 'kind'],
      ['mission.submitted', { request: [1] }, 'request'],
      ['mission.leased', { attempt: 0 }, 'attempt'],
      ['mission.leased', { lease_expires_at: '2026-11-20T05:11:00Z' }, 'lease_expires_at'],
      ['mission.leased', { parent: '00000000-0000-4000-8000-00000000000G' }, 'parent'],
      ['mission.leased', { engine: { name: 'a', version: '1', built: 'x' } }, 'engine.built'],
      ['mission.staged', { index: 7 }, 'index'],
      ['mission.staged', { role: 'sales' }, 'role'],
      ['mission.produced', { state: 'completed' }, 'state'],
      ['mission.produced', { effort: { max_evaluations: 1, iterations: -1 } }, 'effort.iterations'],
      ['mission.failed', { error: { code: '', message: '', stage: null } }, 'error.code'],
      ['mission.completed', { result: [] }, 'result'],
      ['mission.erased', { blobs: [] }, 'blobs'],
      ['mission.erased', { reason: 'x'.repeat(2_001) }, 'reason'],
      ['simulation.requested', { islands: [] }, 'islands'],
      ['simulation.requested', { islands: ['a b'] }, 'islands[0]'],
      ['simulation.requested', { runner: 'server' }, 'runner'],
      ['simulation.requested', { idempotency: { key: '', body_sha256: hex('1') } }, 'idempotency.key'],
      ['simulation.started', { attempt: 4 }, 'attempt'],
      ['simulation.completed', { outcome_hash: 'a' }, 'outcome_hash'],
      ['token.created', { role: 'owner' }, 'role'],
    ];
    for (const [type, change, path] of cases) {
      const answer = decoded(type, { ...documents[type], ...change });
      assert.ok(Array.isArray(answer) && String(answer[0]).startsWith(`${path}: `), `${type} ${path}: ${JSON.stringify(answer)}`);
    }
  });

  it('takes values at their bounds', () => {
    const kept = [
      event('control.paused', { actor: 'x'.repeat(64) }),
      event('mission.erased', { reason: 'x'.repeat(2_000), blobs: Array.from({ length: 10 }, () => hex('b')) }),
      event('mission.staged', { index: 6, role: 'memory' }),
      event('mission.leased', { attempt: Number.MAX_SAFE_INTEGER }),
      event('mission.failed', { error: { code: 'x'.repeat(64), message: 'x'.repeat(2_000), stage: null } }),
    ];
    for (const { type, document } of kept) assert.deepEqual(decoded(type, document), { type, document });
  });
});
