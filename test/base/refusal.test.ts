import { strictEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { damageRefusal } from '../../src/base/damage.js';
import { invalid, refusals, shortageOf } from '../../src/base/refusal.js';
import { remainingSeconds } from '../../src/base/time.js';

/** HTTP status, exit code, and the codes that have both. */
const expected: readonly (readonly [status: number, exit: number, codes: string])[] = [
  [400, 2, 'malformed'],
  [401, 2, 'unauthorized'],
  [403, 2, 'forbidden'],
  [404, 2, 'not_found'],
  [409, 2, 'exists'],
  [413, 2, 'too_large'],
  [422, 2, 'invalid choice_needed'],
  [500, 3, 'integrity rollback fork'],
  [409, 3, 'verification_failed'],
  [409, 4, 'conflict stale_revision hash_mismatch request_id_reused wrong_state newer_version unreleased_home not_paused in_use'],
  [409, 4, 'approver_unknown key_unknown key_removed signature_invalid subject_mismatch subject_expired'],
  [409, 4, 'self_approval already_approved approvals_required'],
  [409, 5, 'paused'],
  [409, 6, 'lease_active not_yet'],
  [429, 7, 'too_many_requests'],
  [503, 7, 'engine_unavailable provider_unconfigured chain_unconfigured code_not_allowed tool_disabled port_taken busy'],
  [502, 7, 'chain_unreachable'],
  [502, 1, 'provider_failed execution_failed'],
  [409, 1, 'settlement_refused'],
  [507, 1, 'storage_full'],
  [503, 1, 'not_writable'],
  [503, 130, 'interrupted'],
];

describe('refusals', () => {
  it('has exactly the codes of the table, with their statuses and exit codes', () => {
    const known = expected.flatMap(([status, exit, codes]) => codes.split(' ').map((code) => [code, { status, exit }] as const));
    const actual = Object.entries(refusals).map(([code, { status, exit }]) => [code, { status, exit }] as const);
    assert.deepEqual(Object.fromEntries(actual), Object.fromEntries(known));
    for (const { title } of Object.values(refusals)) assert.match(title, /^[A-Z][A-Za-z ]+$/);
  });

  it('names the path in an invalid field, and nothing for the whole document', () => {
    assert.deepEqual(invalid('work.items[3].cost', 'is too much'), {
      code: 'invalid',
      detail: 'work.items[3].cost: is too much',
      errors: [{ path: 'work.items[3].cost', message: 'is too much' }],
    });
    assert.equal(invalid('', 'must be an object').detail, 'must be an object');
  });
});

describe('a shortage', () => {
  const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

  const descriptors = ': EMFILE, too many open files in this process';
  for (const [name, error, said] of [
    ['of file descriptors', coded('EMFILE', 'EMFILE: too many open files, open …'), descriptors],
    ['for a thread', coded('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'), descriptors],
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
