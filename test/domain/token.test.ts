/** Tokens: given what happened, when one is created, rotated or revoked, then exactly these events or this refusal. */
import assert from 'node:assert/strict';
import { isRefused, type Result } from '../../src/base/refusal.js';
import { peopleRoles, type TokenRole } from '../../src/codec/events/token.js';
import { decideCreate, decideRevoke, decideRotate, tokenStream, type Token, type TokenEvent } from '../../src/domain/token.js';
import { hex } from '../support/codec/given-events.js';

const at = (sequence: number): string => `2026-11-20T05:00:0${sequence}.000000Z`;
const after = (events: readonly TokenEvent[], name = 'ci'): Token | null =>
  events.reduce<Token | null>(
    (token, event, i) => tokenStream.evolve(token, event, { id: name, sequence: i + 1, time: at(i + 1) }),
    null,
  );

const created = (digit: string, role: TokenRole = 'viewer'): TokenEvent => ({
  type: 'token.created',
  document: { role, token_sha256: hex(digit), actor: 'operator' },
});
const rotated = (digit: string): TokenEvent => ({
  type: 'token.rotated',
  document: { token_sha256: hex(digit), actor: 'operator' },
});
const revoked: TokenEvent = { type: 'token.revoked', document: { actor: 'operator' } };

const outcome = (result: Result<readonly TokenEvent[]>): unknown =>
  isRefused(result) ? `${result.left.code}: ${result.left.errors?.[0]?.path ?? ''}` : result.right;

const create = (given: readonly TokenEvent[], changes: Partial<Parameters<typeof decideCreate>[2]> = {}, active = 0): unknown => {
  const tokens = [after(given), ...Array.from({ length: active }, (_, i) => after([created('1')], `other${i}`))];
  const asked = { name: 'ci', role: 'reviewer', token_sha256: hex('a'), approver: null, may_execute: false } as const;
  const known = tokens.filter((token) => token !== null);
  return outcome(decideCreate(known, [...known.map(({ name }) => name), 'Dora'], { ...asked, actor: 'operator', ...changes }));
};
const rotate = (given: readonly TokenEvent[], name = 'ci'): unknown =>
  outcome(decideRotate(after(given, name), { name, token_sha256: hex('b'), actor: 'operator' }));
const revoke = (given: readonly TokenEvent[], name = 'ci'): unknown =>
  outcome(decideRevoke(after(given, name), { name, actor: 'operator' }));

describe('a token: create', () => {
  it('creates a new name, and one whose token is revoked, with another role', () => {
    assert.deepEqual(create([]), [created('a', 'reviewer')]);
    assert.deepEqual(create([created('1'), rotated('2'), revoked]), [created('a', 'reviewer')]);
  });

  it('refuses a name that has an active token', () => {
    assert.equal(create([created('1'), rotated('2')]), 'exists: ');
    assert.equal(create([created('1'), revoked, created('2')]), 'exists: ');
  });

  it('lets only an agent have a permission to execute', () => {
    const asked = (role: TokenRole): unknown => create([], { role, may_execute: true });
    const document = { role: 'agent', token_sha256: hex('a'), may_execute: true, actor: 'operator' };
    assert.deepEqual(asked('agent'), [{ type: 'token.created', document }]);
    for (const role of peopleRoles) assert.equal(asked(role), 'invalid: --may-execute');
  });

  it('refuses a name that is bad, reserved, or like another', () => {
    const bad = ['', ' ', 'a b', 'a/b', '../x', 'é', 'a\n', 'a:b', 'x'.repeat(65)];
    for (const name of [...bad, 'api', 'API', 'operator', 'Operator']) assert.equal(create([], { name }), 'invalid: name', name);
    for (const name of ['a', 'A-b_9', '__proto__', 'toString', 'x'.repeat(64), 'apis', 'Dora'])
      assert.deepEqual(create([], { name }), [created('a', 'reviewer')], name);
    // One that differs only in case from a token's, also a revoked one's, or an approver's would be taken for it.
    for (const name of ['CI', 'dora']) assert.equal(create([created('1'), revoked], { name }), 'invalid: name', name);
  });

  it('refuses more than 100 active ones', () => {
    assert.deepEqual(create([], {}, 99), [created('a', 'reviewer')]);
    assert.equal(create([], {}, 100), 'conflict: ');
  });
});

describe('a token: rotate', () => {
  it('rotates an active one', () => {
    assert.deepEqual(rotate([created('1')]), [rotated('b')]);
    assert.deepEqual(rotate([created('1'), rotated('2')]), [rotated('b')]);
  });

  it('refuses one that does not exist or is revoked', () => {
    assert.equal(rotate([]), 'not_found: ');
    assert.equal(rotate([], '../x'), 'not_found: ');
    assert.equal(rotate([created('1'), revoked]), 'wrong_state: ');
  });

  it('rotates the built-in one without an event before', () => {
    assert.deepEqual(rotate([], 'api'), [rotated('b')]);
    assert.deepEqual(rotate([rotated('1')], 'api'), [rotated('b')]);
    assert.equal(rotate([], 'API'), 'not_found: ');
  });
});

describe('a token: revoke', () => {
  it('revokes an active one', () => {
    assert.deepEqual(revoke([created('1')]), [revoked]);
    assert.deepEqual(revoke([created('1'), revoked, created('2'), rotated('3')]), [revoked]);
  });

  it('refuses one that does not exist, is revoked already, or is built in', () => {
    assert.equal(revoke([]), 'not_found: ');
    assert.equal(revoke([created('1'), revoked]), 'wrong_state: ');
    assert.equal(revoke([], 'api'), 'invalid: name');
    assert.equal(revoke([rotated('1')], 'api'), 'invalid: name');
  });
});

describe('a token: the state after its events', () => {
  it('stays null after a rotation or a revocation without a token, except for the built-in one', () => {
    assert.equal(after([rotated('1')]), null);
    assert.equal(after([revoked]), null);
    assert.deepEqual([after([rotated('1')], 'api')?.role, after([rotated('1')], 'api')?.state], ['admin', 'active']);
  });
});
