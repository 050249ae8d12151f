/** Whose token a request carries, also after this or another process changed it; and what is recorded of tokens. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { activeTokens, type Authenticate } from '../../src/app/tokens/authenticate.js';
import { createToken, listTokens, revokeToken, rotateToken } from '../../src/app/tokens/change.js';
import type { Home } from '../../src/app/home/home.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { Fault, RefusalError, UnknownOutcome } from '../../src/base/refusal.js';
import { AppendQueue } from '../../src/journal/queue.js';
import { event } from '../support/codec/given-events.js';
import { actor, refusalOf, rejectsRefusal } from '../support/app/given-home.js';
import { created, fileToken, rotated } from '../support/app/given-tokens.js';
import { tamper } from '../support/app/mixed-home.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { membersOf } from '../support/lists.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { readToken, recordedTokens } from '../../src/tables/tokens.js';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

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
    for (const role of ['viewer', 'reviewer', 'admin'] as const)
      assert.deepEqual(authenticate(await created(home, `a-${role}`, role)), { name: `a-${role}`, role });
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
      assert.equal(seen.join(' '), '32,32 32,32 32,32 32,32', bearer.slice(0, 50));
    }
  });

  homes.it('lets nobody in by a recorded hash that is not one of a token', async (home) => {
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

const hashOf = (home: Home, name: string): string | null | undefined => readToken(home.db, name)?.token_sha256;
const fileOf = ({ directory }: TemporaryHome): string => readFileSync(join(directory, 'api.token'), 'latin1');

/** The names of the home's and the witness's files that hold a text. */
const filesWith = ({ root }: TemporaryHome, text: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

describe('tokens of a home', () => {
  homes.it('are created, rotated, revoked and created again, with only their hashes recorded', async (home) => {
    const temporary = homes.get();
    const first = await createToken(home, 'ci', 'viewer', 'ann');
    assert.deepEqual({ ...first, token: 0 }, { name: 'ci', role: 'viewer', token: 0 });
    assert.match(first.token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(hashOf(home, 'ci'), sha256Hex(first.token));
    temporary.clock.now += 1_000;
    const second = await rotateToken(home, 'ci', actor);
    assert.deepEqual({ ...second, token: 0 }, { name: 'ci', role: 'viewer', token: 0 });
    assert.equal(hashOf(home, 'ci'), sha256Hex(second.token));
    temporary.clock.now += 1_000;
    const times = { created_at: '2026-11-20T05:00:00.000000Z', changed_at: '2026-11-20T05:00:02.000000Z' };
    assert.deepEqual(await revokeToken(home, 'ci', actor), { name: 'ci', role: 'viewer', state: 'revoked', ...times });
    assert.equal(hashOf(home, 'ci'), null);
    const third = await createToken(home, 'ci', 'admin', actor);
    assert.equal(new Set([first.token, second.token, third.token]).size, 3);
    assert.deepEqual(
      listTokens(home).items.map(({ name, role, state }) => `${name} ${role} ${state}`),
      ['api admin active', 'ci admin active'],
    );
    const recorded = entriesOfStream(home.db, '@token:ci').map((entry) => entry.event);
    assert.deepEqual(recorded, [
      { type: 'token.created', document: { role: 'viewer', token_sha256: sha256Hex(first.token), actor: 'ann' } },
      { type: 'token.rotated', document: { token_sha256: sha256Hex(second.token), actor } },
      { type: 'token.revoked', document: { actor } },
      { type: 'token.created', document: { role: 'admin', token_sha256: sha256Hex(third.token), actor } },
    ]);
    for (const { token } of [first, second, third]) {
      assert.deepEqual(filesWith(temporary, token), []);
      assert.notDeepEqual(filesWith(temporary, sha256Hex(token)), []);
    }
  });
});

describe('api.token', () => {
  it('is replaced by a rotation, privately and whole, and its event contains the hash', async () => {
    const temporary = homes.get();
    const before = fileOf(temporary);
    await temporary.with(async (home) => {
      const { name, role, token } = await rotateToken(home, 'api', 'ann');
      assert.deepEqual([name, role, fileOf(temporary)], ['api', 'admin', token]);
      assert.notEqual(token, before);
      assert.equal(statSync(home.paths.apiToken).mode & 0o777, 0o600);
      assert.equal(hashOf(home, 'api'), sha256Hex(token));
      assert.deepEqual(filesWith(temporary, token), ['api.token']);
      assert.deepEqual(listTokens(home).items, [
        { name: 'api', role: 'admin', state: 'active', created_at: null, changed_at: '2026-11-20T05:00:00.000000Z' },
      ]);
    });
    await temporary.with(async (home) => assert.equal(home.writer.head.size, 2));
  });

  homes.it('leaves no event and no file when it cannot be replaced', async (home) => {
    rmSync(home.paths.apiToken);
    mkdirSync(home.paths.apiToken);
    const names = readdirSync(home.paths.directory);
    await assert.rejects(() => rotateToken(home, 'api', actor), /api\.token: is a directory; the printed token is not valid/);
    assert.deepEqual(readdirSync(home.paths.directory), names);
    assert.equal(home.writer.head.size, 1);
    await created(home, 'ci');
  });
});

describe('the tokens table', () => {
  homes.it('gives no access to a row of no entry', async (home) => {
    await created(home, 'ci');
    const text = 'x'.repeat(43);
    home.db.exec(
      `INSERT INTO token SELECT 'me', 'admin', 'active', '${sha256Hex(text)}', NULL, 0, created_at, changed_at, revision FROM token WHERE name = 'ci'`,
    );
    assert.equal(activeTokens(home).ownerOf(text), null);
    assert.deepEqual(membersOf(recordedTokens(home.db), 'name'), ['ci']);
  });

  homes.it('is not read for those who were revoked, however many', async (home) => {
    await created(home, 'ci');
    await revokeToken(home, 'ci', actor);
    tamper(homes.get(), "UPDATE token SET role = 'admin'");
    assert.deepEqual(activeTokens(home).ownerOf(fileToken(home)), admin);
  });
});

describe('new tokens', () => {
  homes.it('are shown before they are valid', async (home) => {
    for (const issue of [createToken.bind(null, home, 'ci', 'viewer', actor), rotateToken.bind(null, home, 'ci', actor)]) {
      const other = homes.get().open();
      const before = hashOf(other, 'ci');
      const shown: string[] = [];
      const { token } = await issue((issued) => {
        shown.push(issued.token);
        assert.deepEqual([issued.name, issued.role, hashOf(other, 'ci')], ['ci', 'viewer', before]);
      });
      assert.deepEqual([shown, hashOf(other, 'ci')], [[token], sha256Hex(token)]);
      other.close();
    }
  });

  homes.it('are not made when they could not be shown', async (home) => {
    const file = readFileSync(home.paths.apiToken);
    const before = home.writer.head;
    const show = (): never => {
      throw new Error('EPIPE: broken pipe');
    };
    const message = 'the token could not be printed and is not valid';
    await assert.rejects(createToken(home, 'ci', 'viewer', actor, show), { name: 'Fault', message });
    await assert.rejects(rotateToken(home, 'api', actor, show), { name: 'Fault', message });
    assert.deepEqual([home.writer.head, readFileSync(home.paths.apiToken)], [before, file]);
  });

  for (const [what, error, said] of [
    ['a refusal', new RefusalError('storage_full', 'no space'), /^storage_full: no space; the printed token is not valid$/],
    ['a fault', new Fault('it broke'), /^it broke; the printed token is not valid$/],
    ['an error', new Error('disk I/O error'), /^the printed token is not valid$/],
    [
      'a commit of unknown outcome',
      new UnknownOutcome('the commit failed'),
      /^it is not known whether the printed token is valid$/,
    ],
  ] as const) {
    homes.it(`are reported as valid or not after ${what}`, async (home) => {
      const failing: Home = {
        ...home,
        transact: (command) =>
          home.transact((tx) => {
            command(tx);
            throw error;
          }),
      };
      await assert.rejects(
        createToken(failing, 'ci', 'viewer', actor, () => undefined),
        { message: said },
      );
      const message = /^api\.token holds the printed token, which is valid, but the journal may have no entry of the change$/;
      let shown = '';
      await assert.rejects(
        rotateToken(failing, 'api', actor, ({ token }) => void (shown = token)),
        { message },
      );
      assert.equal(readFileSync(home.paths.apiToken, 'latin1'), shown);
    });
  }
});
