/** The file api.token, which counts as it is now; login codes and sessions. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { refusalOf } from '../support/app/given-home.js';
import type { Home } from '../../src/app/home/home.js';
import {
  activeTokens,
  login_codes_max,
  type SessionOutcome,
  type OpenedSession,
  Sessions,
  sessions_max,
} from '../../src/app/tokens/authenticate.js';
import { revokeToken, rotateToken } from '../../src/app/tokens/change.js';
import { created, fileToken } from '../support/app/given-tokens.js';
import { homeForEach } from '../support/app/temporary-home.js';

const homes = homeForEach();
const admin = { name: 'api', role: 'admin' };
const letters = (letter: string): string => letter.repeat(43);

describe('authenticate and the file api.token', () => {
  homes.it('takes what it holds now, however it was changed', async (home) => {
    const { apiToken } = home.paths;
    const authenticate = activeTokens(home).ownerOf;
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

  homes.it('lets nobody in where there is no token', async (home) => {
    const { apiToken } = home.paths;
    const authenticate = activeTokens(home).ownerOf;
    const token = fileToken(home);
    const named = await created(home, 'ci', 'viewer');
    const attempts: readonly (readonly [string, () => void])[] = [
      ['empty', () => truncateSync(apiToken)],
      ['short', () => writeFileSync(apiToken, token.slice(1))],
      ['a space', () => writeFileSync(apiToken, `${token} `)],
      ['an empty line', () => writeFileSync(apiToken, `${token}\n\n`)],
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
      [
        'a directory',
        () => {
          rmSync(apiToken);
          mkdirSync(apiToken);
        },
      ],
    ];
    for (const [title, change] of attempts) {
      change();
      for (const bearer of [token, '', token.slice(1), `${token}\n${token}`]) assert.equal(authenticate(bearer), null, title);
      assert.equal(authenticate(named)?.name, 'ci', title);
    }
    rmSync(apiToken, { recursive: true });
    writeFileSync(apiToken, token);
    assert.deepEqual(authenticate(token), admin);
    if (process.platform === 'win32' || process.getuid?.() === 0) return;
    chmodSync(apiToken, 0o000);
    assert.equal(authenticate(token), null);
    chmodSync(apiToken, 0o600);
    assert.deepEqual(authenticate(token), admin);
  });
});

const here = 'localhost';
const refused = { wait_ms: null };
const opened = (outcome: SessionOutcome): OpenedSession => ('token' in outcome ? outcome : assert.fail('no session was opened'));

interface Given {
  readonly home: Home;
  readonly sessions: Sessions;
  /** Lets time pass on both clocks. */
  readonly pass: (ms: number) => void;
}

function inSession(title: string, test: (given: Given) => Promise<void> | void): void {
  homes.it(title, (home) => {
    const { clock, elapsed } = homes.get();
    const pass = (ms: number): void => {
      clock.now += ms;
      elapsed.ms += ms;
    };
    return test({ home, sessions: new Sessions(home.world, activeTokens(home)), pass });
  });
}
const sessionFor = (sessions: Sessions, name = 'api'): string =>
  opened(sessions.open(sessions.issue(name, here).code, here)).token;

const sessionBy = (sessions: Sessions, bearer: string): OpenedSession =>
  opened(sessions.open(sessions.issue('api', here, bearer).code, here));

describe('login codes', () => {
  inSession('are valid for less than two minutes, by either clock', ({ home, sessions, pass }) => {
    const first = sessions.issue('api', here).code;
    pass(119_999);
    opened(sessions.open(first, here));
    const second = sessions.issue('api', here).code;
    pass(120_000);
    assert.deepEqual(sessions.open(second, here), refused);
    const third = sessions.issue('api', here).code;
    homes.get().clock.now += 120_000;
    assert.deepEqual(sessions.open(third, here), refused, 'the clock was set forward');
    const fourth = sessions.issue('api', here).code;
    homes.get().clock.now -= 86_400_000;
    homes.get().elapsed.ms += 120_000;
    assert.deepEqual(sessions.open(fourth, here), refused, 'the clock was set back');
    assert.ok(home.world.clock() > 0);
  });

  inSession('survive nine wrong ones a minute', ({ sessions, pass }) => {
    const { code } = sessions.issue('api', here);
    for (let n = 1; n < 10; n++) assert.deepEqual(sessions.open(`guess-${n}`, here), refused);
    pass(60_000);
    assert.deepEqual(sessions.open('guess-10', here), refused);
    opened(sessions.open(code, here));
  });

  inSession('are kept up to a number, the newest ones', ({ sessions }) => {
    const codes = Array.from({ length: login_codes_max + 1 }, () => sessions.issue('api', here).code);
    assert.deepEqual(sessions.open(codes[0] ?? '', here), refused);
    opened(sessions.open(codes[1] ?? '', here));
  });
});

describe('sessions', () => {
  inSession(
    'end with the token that they act for: rotated, revoked, or made again under its name',
    async ({ home, sessions }) => {
      await created(home, 'ana', 'reviewer');
      const [ana, operator] = [sessionFor(sessions, 'ana'), sessionFor(sessions)];
      assert.deepEqual(sessions.ownerOf(ana), { name: 'ana', role: 'reviewer' });
      const { code } = sessions.issue('ana', here);
      await revokeToken(home, 'ana', 'operator');
      assert.deepEqual([sessions.ownerOf(ana), sessions.ownerOf(operator)], [null, admin]);
      assert.deepEqual(sessions.open(code, here), refused);
      assert.equal(refusalOf(() => sessions.issue('ana', here))?.code, 'unauthorized');
      await created(home, 'ana', 'admin');
      assert.equal(sessions.ownerOf(ana), null);
      await rotateToken(home, 'api', 'operator');
      assert.equal(sessions.ownerOf(operator), null);
    },
  );

  inSession('inherit the end of the session that made them, through any number of steps', ({ sessions, pass }) => {
    const first = opened(sessions.open(sessions.issue('api', here).code, here));
    pass(43_140_000);
    const second = sessionBy(sessions, first.token);
    assert.equal(second.expires_at, first.expires_at);
    const late = sessions.issue('api', here, second.token);
    assert.equal(late.expires_at, first.expires_at);
    const third = opened(sessions.open(late.code, here));
    assert.equal(third.expires_at, first.expires_at);
    pass(60_000);
    for (const { token } of [first, second, third]) assert.equal(sessions.ownerOf(token), null);
  });

  inSession('end with the sign-out of the session that made them, and so do its codes', ({ sessions }) => {
    const [one, other] = [sessionFor(sessions), sessionFor(sessions)];
    const two = sessionBy(sessions, one).token;
    const three = sessionBy(sessions, two).token;
    const { code } = sessions.issue('api', here, three);
    assert.equal(sessions.end(one), true);
    assert.deepEqual(
      [one, two, three, other].map((token) => sessions.ownerOf(token)),
      [null, null, null, admin],
    );
    assert.deepEqual(sessions.open(code, here), refused);
    const made = sessionBy(sessions, other).token;
    assert.equal(sessions.end(made), true);
    assert.deepEqual(sessions.ownerOf(other), admin, 'a sign-out does not end the session that made it');
  });

  inSession('are kept up to a number, the newest ones of whoever has the most', async ({ home, sessions }) => {
    await created(home, 'ana', 'viewer');
    const tokens = ['api', ...Array<string>(sessions_max).fill('ana')].map((name) => sessionFor(sessions, name));
    const owners = tokens.slice(0, 3).map((token) => sessions.ownerOf(token)?.name);
    assert.deepEqual(owners, ['api', undefined, 'ana']);
  });
});
