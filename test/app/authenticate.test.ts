/** Whose token a request carries: also after this or another process changed it. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { activeTokens, type Authenticate } from '../../src/app/tokens/authenticate.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import type { Home } from '../../src/app/home/home.js';
import { sha256Hex } from '../../src/base/hash.js';
import { RefusalError } from '../../src/base/refusal.js';
import { AppendQueue } from '../../src/journal/queue.js';
import { event } from '../support/codec/given-events.js';
import { actor, rejectsRefusal, refusalOf } from '../support/app/given-home.js';
import { created, fileToken, rotated } from '../support/app/given-tokens.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';

const homes = homeForEach();
const admin = { name: 'api', role: 'admin' };

/** What the comparison was called with while `work` ran. */
function comparisons(work: () => void): number[][] {
  const whole = crypto.timingSafeEqual;
  const seen: number[][] = [];
  crypto.timingSafeEqual = (a, b) => {
    seen.push([a.byteLength, b.byteLength]);
    return whole(a, b);
  };
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    crypto.timingSafeEqual = whole;
    syncBuiltinESMExports();
  }
  return seen;
}

describe('authenticate', () => {
  homes.it('knows api.token and active named tokens, with their roles', async (home) => {
    const authenticate = activeTokens(home).ownerOf;
    assert.deepEqual(authenticate(fileToken(home)), admin);
    for (const role of ['viewer', 'reviewer', 'admin'] as const) {
      const token = await created(home, `a-${role}`, role);
      assert.deepEqual(authenticate(token), { name: `a-${role}`, role });
    }
    assert.deepEqual(authenticate(fileToken(home)), admin);
  });

  homes.it('knows nothing else', async (home) => {
    const authenticate = activeTokens(home).ownerOf;
    const token = await created(home, 'ci', 'admin');
    const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const near = [flipped, token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, `${token} `, ` ${token}`, `${token}\n`];
    const other = ['', 'ci', 'api', sha256Hex(token), token.toLowerCase(), 'A'.repeat(43), '\0'.repeat(43), '\ud800'.repeat(43)];
    for (const bearer of [...near, ...other, `Bearer ${token}`, 'é'.repeat(43)]) assert.equal(authenticate(bearer), null, bearer);
    assert.equal(authenticate(token)?.name, 'ci');
  });

  homes.it('compares digests in constant time, with every token, whatever is given', async (home) => {
    const tokens: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) tokens.push(await created(home, name));
    await revokeToken(home, 'd', actor);
    const authenticate = activeTokens(home).ownerOf;
    const given = [...tokens, fileToken(home), '', 'x', 'A'.repeat(43), 'A'.repeat(100_000), '\0'];
    for (const bearer of given) {
      const seen = comparisons(() => authenticate(bearer));
      assert.deepEqual(
        seen,
        Array.from({ length: 4 }, () => [32, 32]),
        bearer.slice(0, 50),
      );
    }
  });
});

describe('authenticate: a recorded hash that is not one of a token', () => {
  homes.it('lets nobody in', async (home) => {
    home.writer.transact((tx) => tx.append('@token:ci', event('token.created', { token_sha256: sha256Hex('') })));
    for (const bearer of ['', 'x', 'x'.repeat(44)]) assert.equal(activeTokens(home).ownerOf(bearer), null);
  });
});

describe('authenticate after a change', () => {
  const changes = async (one: Home, other: Home, authenticate: Authenticate): Promise<void> => {
    const known = (token: string): string | undefined => authenticate(token)?.role;
    const first = await created(other, 'ci', 'reviewer');
    assert.equal(known(first), 'reviewer');
    const second = await rotated(other, 'ci');
    assert.deepEqual([known(first), known(second)], [undefined, 'reviewer']);
    await revokeToken(other, 'ci', actor);
    assert.deepEqual([known(first), known(second)], [undefined, undefined]);
    const third = await created(other, 'ci', 'viewer');
    assert.deepEqual([known(second), known(third)], [undefined, 'viewer']);
    await one.transact(submit(1));
    await other.transact(submit(2));
    assert.deepEqual([known(second), known(third)], [undefined, 'viewer']);
    const before = fileToken(one);
    const token = await rotated(other, 'api');
    assert.deepEqual([known(before), known(token), known(third)], [undefined, 'admin', 'viewer']);
    const again = await rotated(other, 'api');
    assert.deepEqual([known(token), known(again)], [undefined, 'admin']);
  };

  it('is current with the next request after a change by this connection', async () => {
    await homes.get().with(async (home) => changes(home, home, activeTokens(home).ownerOf));
  });

  homes.it('is current with the next request after a change by another connection', async (home) => {
    const authenticate = activeTokens(home).ownerOf;
    assert.deepEqual(authenticate(fileToken(home)), admin);
    await homes.get().with((other) => changes(home, other, authenticate));
  });

  it('is current with the next request after a change by the shared commits of a daemon', async () => {
    await homes.get().with(
      async (home) => {
        const queue = new AppendQueue(home.writer);
        await changes(home, { ...home, transact: (command) => queue.submit(command) }, activeTokens(home).ownerOf);
      },
      { lock: 'daemon' },
    );
  });

  homes.it('stays the same after a change that was refused or undone with its batch', async (home) => {
    const authenticate = activeTokens(home).ownerOf;
    const token = await created(home, 'ci', 'viewer');
    assert.equal(authenticate(token)?.name, 'ci');
    await rejectsRefusal(createToken(home, 'ci', 'admin', actor), 'exists');
    home.writer.begin();
    home.writer.run<unknown>([
      (tx) => {
        tx.append('@token:ci', event('token.revoked'));
        assert.equal(authenticate(token), null);
        throw new RefusalError('conflict', 'refused on purpose');
      },
      (tx) => tx.append('@token:other', event('token.created')),
    ]);
    assert.deepEqual(authenticate(token), { name: 'ci', role: 'viewer' });
  });

  homes.it('refuses every token after somebody edited the table, until it is rebuilt', async (home) => {
    const authenticate = activeTokens(home).ownerOf;
    const token = await created(home, 'ci', 'viewer');
    assert.equal(authenticate(token)?.role, 'viewer');
    tamper(homes.get(), "UPDATE token SET role = 'admin'");
    for (const bearer of [token, fileToken(home), 'x', token]) {
      assert.equal(refusalOf(() => authenticate(bearer))?.code, 'integrity');
    }
    tamper(homes.get(), "UPDATE token SET role = 'viewer'");
    assert.equal(authenticate(token)?.role, 'viewer');
  });
});
