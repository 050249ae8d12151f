import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { invalid, refusals } from '../../src/base/refusal.js';
import { isRefused, ok, RefusalError, refuse, unwrap } from '../../src/base/result.js';

/** code → HTTP status, exit code. */
const expected: Readonly<Record<string, readonly [number, number]>> = {
  malformed: [400, 2],
  unauthorized: [401, 2],
  forbidden: [403, 2],
  not_found: [404, 2],
  exists: [409, 2],
  too_large: [413, 2],
  invalid: [422, 2],
  integrity: [500, 3],
  rollback: [500, 3],
  fork: [500, 3],
  verification_failed: [500, 3],
  conflict: [409, 4],
  stale_revision: [409, 4],
  hash_mismatch: [409, 4],
  request_id_reused: [409, 4],
  wrong_state: [409, 4],
  newer_version: [409, 4],
  unreleased_home: [409, 4],
  not_paused: [409, 4],
  in_use: [409, 4],
  paused: [409, 5],
  lease_active: [409, 6],
  not_yet: [409, 6],
  engine_unavailable: [503, 7],
  provider_unconfigured: [503, 7],
  chain_unconfigured: [503, 7],
  code_not_allowed: [503, 7],
  tool_disabled: [503, 7],
  port_taken: [503, 7],
  busy: [503, 7],
  chain_unreachable: [502, 7],
  provider_failed: [502, 1],
  execution_failed: [502, 1],
  settlement_refused: [409, 1],
  storage_full: [507, 1],
  interrupted: [503, 130],
};

describe('refusals', () => {
  it('has exactly the codes of the table', () => {
    assert.deepEqual(Object.keys(refusals).sort(), Object.keys(expected).sort());
  });

  for (const [code, meaning] of Object.entries(refusals)) {
    it(`keeps the status and exit code of ${code}`, () => {
      const [status, exit] = expected[code] ?? assert.fail('not in the table');
      assert.equal(meaning.exit, exit);
      assert.equal(meaning.status, status);
      assert.match(meaning.title, /^[A-Z][A-Za-z ]+$/);
    });
  }

  it('names the path in an invalid field, and nothing for the whole document', () => {
    assert.deepEqual(invalid('work.items[3].cost', 'is too much'), {
      code: 'invalid',
      detail: 'work.items[3].cost: is too much',
      errors: [{ path: 'work.items[3].cost', message: 'is too much' }],
    });
    assert.equal(invalid('', 'must be an object').detail, 'must be an object');
  });

  it('travels as a value and is thrown at the edge only', () => {
    const refusal = invalid('goal', 'required');
    assert.equal(unwrap(ok(7)), 7);
    assert.ok(isRefused(refuse(refusal)));
    assert.throws(
      () => unwrap(refuse(refusal)),
      (error: unknown) =>
        error instanceof RefusalError && error.refusal === refusal && error.message === 'invalid: goal: required',
    );
  });
});
