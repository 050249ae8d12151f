/** Tokens in a home: what is recorded, what is not, and that the signed entries count, not the table. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../src/app/home/home.js';
import { createToken, revokeToken, rotateToken, listTokens } from '../../src/app/tokens/change.js';
import { Fault, RefusalError, UnknownOutcome } from '../../src/base/refusal.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { activeTokens } from '../../src/app/tokens/authenticate.js';
import { recordedTokens } from '../../src/tables/tokens.js';
import { actor } from '../support/app/given-home.js';
import { created } from '../support/app/given-tokens.js';
import { homeForEach, type TemporaryHome } from '../support/app/temporary-home.js';

const homes = homeForEach();
const hashOf = (home: Home, name: string): string | null | undefined => recordedTokens(home.db).byId.get(name)?.token_sha256;
const fileOf = ({ directory }: TemporaryHome): string => readFileSync(join(directory, 'api.token'), 'latin1');

/** The names of the home's and the witness's files that hold a text. */
const filesWith = ({ root }: TemporaryHome, text: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

describe('tokens of a home', () => {
  homes.it('are created, rotated, revoked and created again, with only their hashes recorded', async (home) => {
    const temporary = homes.get();
    const { clock } = temporary;
    const first = await createToken(home, 'ci', 'viewer', 'ann');
    assert.deepEqual({ ...first, token: 0 }, { name: 'ci', role: 'viewer', token: 0 });
    assert.match(first.token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(hashOf(home, 'ci'), sha256Hex(first.token));
    clock.now += 1_000;
    const second = await rotateToken(home, 'ci', actor);
    assert.deepEqual({ ...second, token: 0 }, { name: 'ci', role: 'viewer', token: 0 });
    assert.equal(hashOf(home, 'ci'), sha256Hex(second.token));
    clock.now += 1_000;
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
      const { items } = listTokens(home);
      assert.deepEqual(items, [
        { name: 'api', role: 'admin', state: 'active', created_at: null, changed_at: '2026-11-20T05:00:00.000000Z' },
      ]);
    });
    await temporary.with(async (home) => assert.equal(home.writer.head.size, 2));
  });

  homes.it('leaves no event and no file when it cannot be replaced', async (home) => {
    const temporary = homes.get();
    rmSync(home.paths.apiToken);
    mkdirSync(home.paths.apiToken);
    const names = readdirSync(temporary.directory);
    await assert.rejects(() => rotateToken(home, 'api', actor), /api\.token: is a directory; the printed token is not valid/);
    assert.deepEqual(readdirSync(temporary.directory), names);
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
    assert.deepEqual([...recordedTokens(home.db).byId.keys()], ['ci']);
  });
});

describe('new tokens', () => {
  homes.it('are shown before they are valid', async (home) => {
    const temporary = homes.get();
    for (const issue of [createToken.bind(null, home, 'ci', 'viewer', actor), rotateToken.bind(null, home, 'ci', actor)]) {
      const other = temporary.open();
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
