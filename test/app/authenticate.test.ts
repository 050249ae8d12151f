/** Whose token a request carries: also after another process, or a hand, changed it. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import * as E from 'fp-ts/lib/Either.js';
import { authenticator, type Authenticate } from '../../src/app/tokens/authenticate.js';
import { createToken, revokeToken, rotateToken } from '../../src/app/tokens/change.js';
import type { Home } from '../../src/app/home.js';
import { sha256Hex } from '../../src/base/hash.js';
import { ok, unwrap } from '../../src/base/result.js';
import { event } from '../support/given-events.js';
import { actor, queued, refusalOf } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

const homes = homeForEach();
const fileToken = (home: Home): string => readFileSync(home.paths.apiToken, 'latin1');
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
  it('knows api.token and active named tokens, with their roles', () => {
    homes.get().with((home) => {
      const authenticate = authenticator(home);
      assert.deepEqual(authenticate(fileToken(home)), admin);
      for (const role of ['viewer', 'reviewer', 'admin'] as const) {
        const { token } = unwrap(createToken(home, `a-${role}`, role, actor));
        assert.deepEqual(authenticate(token), { name: `a-${role}`, role });
      }
      assert.deepEqual(authenticate(fileToken(home)), admin);
    });
  });

  it('knows nothing else', () => {
    homes.get().with((home) => {
      const authenticate = authenticator(home);
      const { token } = unwrap(createToken(home, 'ci', 'admin', actor));
      const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
      const near = [
        flipped,
        token.slice(1),
        token.slice(0, -1),
        `${token}A`,
        `${token}=`,
        `${token} `,
        ` ${token}`,
        `${token}\n`,
      ];
      const other = [
        '',
        'ci',
        'api',
        sha256Hex(token),
        token.toLowerCase(),
        'A'.repeat(43),
        '\0'.repeat(43),
        '\ud800'.repeat(43),
      ];
      for (const bearer of [...near, ...other, `Bearer ${token}`, 'é'.repeat(43)])
        assert.equal(authenticate(bearer), null, bearer);
      assert.equal(authenticate(token)?.name, 'ci');
    });
  });

  it('takes a huge bearer for what it is, at once', () => {
    homes.get().with((home) => {
      const authenticate = authenticator(home);
      const huge = 'A'.repeat(200_000_000);
      authenticate('A'.repeat(43));
      const began = performance.now();
      assert.equal(authenticate(huge), null);
      const elapsed_ms = performance.now() - began;
      assert.ok(elapsed_ms < 50, `${elapsed_ms} ms`);
    });
  });

  it('compares digests in constant time, with every token, whatever is given', () => {
    homes.get().with((home) => {
      const tokens = ['a', 'b', 'c', 'd'].map((name) => unwrap(createToken(home, name, 'viewer', actor)).token);
      unwrap(revokeToken(home, 'd', actor));
      const authenticate = authenticator(home);
      const given = [...tokens, fileToken(home), '', 'x', 'A'.repeat(43), 'A'.repeat(100_000), '\0'];
      for (const bearer of given) {
        const seen = comparisons(() => authenticate(bearer));
        assert.deepEqual(seen, Array.from({ length: 4 }, () => [32, 32]), bearer.slice(0, 50));
      }
    });
  });

  it('costs microseconds', () => {
    homes.get().with((home) => {
      for (let n = 0; n < 20; n++) unwrap(createToken(home, `t${n}`, 'viewer', actor));
      const authenticate = authenticator(home);
      const token = fileToken(home);
      authenticate(token);
      const runs = Array.from({ length: 5 }, () => {
        const began = performance.now();
        for (let n = 0; n < 1_000; n++) authenticate(token);
        return performance.now() - began;
      });
      // A thousand in 200 ms is 200 µs each, slow machines included; with the entries read each time it would be many times that.
      assert.ok(Math.min(...runs) < 200, `${runs.map(Math.round).join(', ')} ms`);
    });
  });
});

describe('authenticate after a change', () => {
  const changes = (one: Home, other: Home, authenticate: Authenticate): void => {
    const known = (token: string): string | undefined => authenticate(token)?.role;
    const first = unwrap(createToken(other, 'ci', 'reviewer', actor)).token;
    assert.equal(known(first), 'reviewer');
    const second = unwrap(rotateToken(other, 'ci', actor)).token;
    assert.deepEqual([known(first), known(second)], [undefined, 'reviewer']);
    unwrap(revokeToken(other, 'ci', actor));
    assert.deepEqual([known(first), known(second)], [undefined, undefined]);
    const third = unwrap(createToken(other, 'ci', 'viewer', actor)).token;
    assert.deepEqual([known(second), known(third)], [undefined, 'viewer']);
    queued(one);
    queued(other);
    assert.deepEqual([known(second), known(third)], [undefined, 'viewer']);
    const before = fileToken(one);
    const { token } = unwrap(rotateToken(other, 'api', actor));
    assert.deepEqual([known(before), known(token), known(third)], [undefined, 'admin', 'viewer']);
    const again = unwrap(rotateToken(other, 'api', actor)).token;
    assert.deepEqual([known(token), known(again)], [undefined, 'admin']);
  };

  it('by this connection, is right with the next request', () => {
    homes.get().with((home) => changes(home, home, authenticator(home)));
  });

  it('by another connection, is right with the next request', () => {
    homes.get().with((home) => {
      const authenticate = authenticator(home);
      assert.deepEqual(authenticate(fileToken(home)), admin);
      homes.get().with((other) => changes(home, other, authenticate));
    });
  });

  it('that was refused, or undone with its batch, changes nothing', () => {
    homes.get().with((home) => {
      const authenticate = authenticator(home);
      const { token } = unwrap(createToken(home, 'ci', 'viewer', actor));
      assert.equal(authenticate(token)?.name, 'ci');
      assert.equal(refusalOf(() => createToken(home, 'ci', 'admin', actor))?.code, 'exists');
      home.writer.begin();
      home.writer.run([
        (tx) => {
          tx.append('@token:ci', event('token.revoked'));
          return E.left({ code: 'conflict', detail: 'refused on purpose' });
        },
        (tx) => ok(tx.append('@token:other', event('token.created'))),
      ]);
      assert.deepEqual(authenticate(token), { name: 'ci', role: 'viewer' });
    });
  });

  it('of the table by another hand, is refused until it is rebuilt', () => {
    homes.get().with((home) => {
      const authenticate = authenticator(home);
      const { token } = unwrap(createToken(home, 'ci', 'viewer', actor));
      assert.equal(authenticate(token)?.role, 'viewer');
      homes.get().with((other) => other.db.exec("UPDATE token SET role = 'admin'"));
      for (const bearer of [token, fileToken(home), 'x', token]) {
        assert.equal(refusalOf(() => ok(authenticate(bearer)))?.code, 'integrity');
      }
      homes.get().with((other) => other.db.exec("UPDATE token SET role = 'viewer'"));
      assert.equal(authenticate(token)?.role, 'viewer');
    });
  });
});

describe('authenticate and the file api.token', () => {
  const letters = (letter: string): string => letter.repeat(43);

  it('takes what it holds now, however it was changed', () => {
    homes.get().with((home) => {
      const { apiToken } = home.paths;
      const authenticate = authenticator(home);
      const first = fileToken(home);
      for (const letter of ['a', 'b', 'c', 'd']) {
        writeFileSync(apiToken, letters(letter));
        assert.deepEqual(authenticate(letters(letter)), admin);
        assert.equal(authenticate(first), null);
      }
      assert.equal(authenticate(letters('c')), null);
      writeFileSync(`${apiToken}.new`, `${letters('e')}\n`);
      renameSync(`${apiToken}.new`, apiToken);
      assert.deepEqual([authenticate(letters('d')), authenticate(letters('e'))], [null, admin]);
    });
  });

  it('lets nobody in where there is no token', () => {
    homes.get().with((home) => {
      const { apiToken } = home.paths;
      const authenticate = authenticator(home);
      const token = fileToken(home);
      const named = unwrap(createToken(home, 'ci', 'viewer', actor)).token;
      const attempts: readonly (readonly [string, () => void])[] = [
        ['empty', () => truncateSync(apiToken)],
        ['short', () => writeFileSync(apiToken, token.slice(1))],
        ['two lines', () => writeFileSync(apiToken, `${token}\n${token}\n`)],
        ['huge', () => writeFileSync(apiToken, token.repeat(100_000))],
        ['gone', () => rmSync(apiToken)],
        [
          'a link',
          () => {
            writeFileSync(`${apiToken}.other`, token);
            symlinkSync(`${apiToken}.other`, apiToken);
          },
        ],
      ];
      for (const [title, change] of attempts) {
        change();
        for (const bearer of [token, '', token.slice(1), `${token}\n${token}`]) assert.equal(authenticate(bearer), null, title);
        assert.equal(authenticate(named)?.name, 'ci', title);
      }
      rmSync(apiToken);
      writeFileSync(apiToken, token);
      assert.deepEqual(authenticate(token), admin);
      if (process.platform === 'win32' || process.getuid?.() === 0) return;
      chmodSync(apiToken, 0o000);
      assert.equal(authenticate(token), null);
      chmodSync(apiToken, 0o600);
      assert.deepEqual(authenticate(token), admin);
    });
  });
});
