import { strictEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { damageRefusal } from '../../src/base/damage.js';
import { shortageOf } from '../../src/base/fault.js';
import { invalid, refusals } from '../../src/base/refusal.js';
import { remainingSeconds } from '../../src/base/time.js';
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
  choice_needed: [422, 2],
  integrity: [500, 3],
  rollback: [500, 3],
  fork: [500, 3],
  verification_failed: [409, 3],
  conflict: [409, 4],
  stale_revision: [409, 4],
  hash_mismatch: [409, 4],
  request_id_reused: [409, 4],
  wrong_state: [409, 4],
  newer_version: [409, 4],
  unreleased_home: [409, 4],
  approver_unknown: [409, 4],
  key_unknown: [409, 4],
  key_removed: [409, 4],
  signature_invalid: [409, 4],
  subject_mismatch: [409, 4],
  subject_expired: [409, 4],
  self_approval: [409, 4],
  already_approved: [409, 4],
  approvals_required: [409, 4],
  not_paused: [409, 4],
  in_use: [409, 4],
  paused: [409, 5],
  lease_active: [409, 6],
  not_yet: [409, 6],
  too_many_requests: [429, 7],
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
  not_writable: [503, 1],
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

describe('a shortage', () => {
  const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

  for (const [name, error, said] of [
    [
      'of file descriptors',
      coded('EMFILE', 'EMFILE: too many open files, open …'),
      ': EMFILE, too many open files in this process',
    ],
    [
      'of file descriptors, for a thread that did not start',
      coded('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'),
      ': EMFILE, too many open files in this process',
    ],
    ['of memory', coded('ENOMEM', 'spawn'), ': ENOMEM, not enough memory'],
    ['is not every error', coded('ENOENT', 'no such file'), ''],
    ['is not what is no error', null, ''],
  ] as const) {
    it(`is named: ${name}`, () => strictEqual(shortageOf(error), said));
  }
});

const sqlite = (message: string, code = 'SQLITE_ERROR'): Error => Object.assign(new Error(message), { code });
const rebuild = 'agent-cli rebuild';
const restore = 'agent-cli restore --help';

describe('damage that SQLite reports', () => {
  for (const [message, detail, hint] of [
    ['no such table: mission', /^it has no table mission$/, rebuild],
    ['no such table: main.token', /^it has no table token$/, rebuild],
    ['no such table: events', /^it has no table events, and nothing in this home can rebuild it/, restore],
    ['table mission has no column named goal', /^the table mission in it is not defined/, rebuild],
    ['table events has no column named body', /no column named body$/, 'agent-cli doctor'],
    ['no such column: goal', /no such column: goal$/, 'agent-cli doctor'],
    ['no such index: mission_state', /no such index: mission_state$/, 'agent-cli doctor'],
  ] as const) {
    it(`recognises "${message}"`, () => {
      const refusal = damageRefusal(sqlite(message), 'it');
      assert.deepEqual([refusal?.code, refusal?.hint], ['integrity', hint]);
      assert.match(refusal?.detail ?? '', detail);
    });
  }

  for (const code of ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'])
    it(`recognises ${code}`, () =>
      assert.equal(damageRefusal(sqlite('malformed', code))?.detail, 'journal.sqlite3 is damaged: malformed'));

  it('recognises nothing else', () => {
    for (const error of [
      sqlite('near "x": syntax error'),
      sqlite('no such table: mission', 'SQLITE_IOERR'),
      new Error('no such table: x'),
      null,
    ])
      assert.equal(damageRefusal(error), null);
  });
});

describe('the time that remains', () => {
  const first = { at: 1_000, done: 0 };

  it('is that of work which continues as before', () => {
    strictEqual(remainingSeconds(first, { at: 11_000, done: 0.25 }), 30);
    strictEqual(remainingSeconds({ at: 1_000, done: 0.5 }, { at: 11_000, done: 0.75 }), 10);
    strictEqual(remainingSeconds(first, { at: 7_000, done: 0.999 }), 1);
  });

  it('is unknown while too little was seen, and at the end', () => {
    strictEqual(remainingSeconds(first, { at: 5_999, done: 0.9 }), null);
    strictEqual(remainingSeconds(first, { at: 60_000, done: 0.019 }), null);
    strictEqual(remainingSeconds(first, { at: 60_000, done: 0 }), null);
    strictEqual(remainingSeconds(first, { at: 60_000, done: 1 }), null);
  });
});
