/** Login codes and sessions, with clocks that the test sets. */
import assert from 'node:assert/strict';
import { activeTokens } from '../../src/app/tokens/authenticate.js';
import { revokeToken, rotateToken } from '../../src/app/tokens/change.js';
import { Sessions, type Opened, type OpenedSession } from '../../src/app/tokens/sessions.js';
import type { Home } from '../../src/app/home/home.js';
import { login_codes_max, sessions_max } from '../../src/base/http-limits.js';
import { created, thrownBy, working } from '../support/given-tokens.js';
import { homeForEach } from '../support/temporary-home.js';

const homes = homeForEach();
const here = { address: '127.0.0.1', host: '127.0.0.1' };
const admin = { name: 'api', role: 'admin' };
const refused = { wait_ms: null };
const opened = (outcome: Opened): OpenedSession => ('token' in outcome ? outcome : assert.fail('no session was opened'));

interface Given {
  readonly home: Home;
  readonly sessions: Sessions;
  /** Lets time pass on both clocks. */
  readonly pass: (ms: number) => void;
}

const given = (test: (given: Given) => Promise<void> | void) => async (): Promise<void> => {
  const temporary = homes.get();
  const pass = (ms: number): void => {
    temporary.clock.now += ms;
    temporary.elapsed.ms += ms;
  };
  await working(temporary, async (home) => test({ home, sessions: new Sessions(home.world, activeTokens(home)), pass }));
};
const sessionFor = (sessions: Sessions, name = 'api'): string =>
  opened(sessions.open(sessions.issue(name, here).code, here)).token;

describe('login codes', () => {
  it(
    'open one session, once, which acts for the owner of the token',
    given(({ sessions }) => {
      const { code, expires_at } = sessions.issue('api', here);
      assert.match(code, /^[A-Za-z0-9_-]{22}$/);
      assert.equal(expires_at, '2026-11-20T05:02:00.000000Z');
      const session = opened(sessions.open(code, here));
      assert.match(session.token, /^[A-Za-z0-9_-]{43}$/);
      assert.equal(session.expires_at, '2026-11-20T17:00:00.000000Z');
      assert.deepEqual(sessions.ownerOf(session.token), admin);
      assert.deepEqual(sessions.open(code, here), refused);
      assert.equal(sessions.ownerOf(code), null);
    }),
  );

  it(
    'are refused from another address and under another host name, and stay valid where they belong',
    given(({ sessions }) => {
      const { code } = sessions.issue('api', here);
      for (const place of [
        { ...here, address: '127.0.0.2' },
        { ...here, address: '::1' },
        { ...here, host: 'localhost' },
        { ...here, host: '' },
      ]) {
        assert.deepEqual(sessions.open(code, place), refused, JSON.stringify(place));
      }
      opened(sessions.open(code, here));
    }),
  );

  it(
    'are valid for less than two minutes, by either clock',
    given(({ home, sessions, pass }) => {
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
    }),
  );

  it(
    'are void after ten wrong ones in a minute; later ones work',
    given(({ sessions, pass }) => {
      const { code } = sessions.issue('api', here);
      for (let n = 1; n < 10; n++) assert.deepEqual(sessions.open(`guess-${n}`, here), refused, `wrong code ${n}`);
      pass(1_000);
      assert.deepEqual(sessions.open('guess-10', here), { wait_ms: 59_000 });
      assert.notEqual('token' in sessions.open(code, here), true);
      opened(sessions.open(sessions.issue('api', here).code, here));
    }),
  );

  it(
    'survive nine wrong ones a minute',
    given(({ sessions, pass }) => {
      const { code } = sessions.issue('api', here);
      for (let n = 1; n < 10; n++) assert.deepEqual(sessions.open(`guess-${n}`, here), refused);
      pass(60_000);
      assert.deepEqual(sessions.open('guess-10', here), refused);
      opened(sessions.open(code, here));
    }),
  );

  it(
    'are kept up to a number, the newest ones',
    given(({ sessions }) => {
      const codes = Array.from({ length: login_codes_max + 1 }, () => sessions.issue('api', here).code);
      assert.deepEqual(sessions.open(codes[0] ?? '', here), refused);
      opened(sessions.open(codes[1] ?? '', here));
    }),
  );
});

describe('sessions', () => {
  it(
    'end after twelve hours, and when they are ended',
    given(({ sessions, pass }) => {
      const [one, two] = [sessionFor(sessions), sessionFor(sessions)];
      assert.equal(sessions.end(one), true);
      assert.equal(sessions.end(one), false);
      assert.deepEqual([sessions.ownerOf(one), sessions.ownerOf(two)], [null, admin]);
      pass(43_199_999);
      assert.deepEqual(sessions.ownerOf(two), admin);
      pass(1);
      assert.equal(sessions.ownerOf(two), null);
    }),
  );

  it(
    'end with the token that they act for: rotated, revoked, or made again under its name',
    given(async ({ home, sessions }) => {
      await created(home, 'ana', 'reviewer');
      const [ana, operator] = [sessionFor(sessions, 'ana'), sessionFor(sessions)];
      assert.deepEqual(sessions.ownerOf(ana), { name: 'ana', role: 'reviewer' });
      const { code } = sessions.issue('ana', here);
      await revokeToken(home, 'ana', 'operator');
      assert.deepEqual([sessions.ownerOf(ana), sessions.ownerOf(operator)], [null, admin]);
      assert.deepEqual(sessions.open(code, here), refused);
      assert.equal(thrownBy(() => sessions.issue('ana', here))?.code, 'unauthorized');
      await created(home, 'ana', 'admin');
      assert.equal(sessions.ownerOf(ana), null);
      await rotateToken(home, 'api', 'operator');
      assert.equal(sessions.ownerOf(operator), null);
    }),
  );

  it(
    'are known to one process alone',
    given(({ home, sessions }) => {
      const token = sessionFor(sessions);
      assert.equal(new Sessions(home.world, activeTokens(home)).ownerOf(token), null);
      assert.equal(activeTokens(home).ownerOf(token), null);
    }),
  );

  it(
    'are kept up to a number, the newest ones',
    given(({ sessions }) => {
      const tokens = Array.from({ length: sessions_max + 1 }, () => sessionFor(sessions));
      assert.deepEqual([sessions.ownerOf(tokens[0] ?? ''), sessions.ownerOf(tokens[1] ?? '')], [null, admin]);
    }),
  );
});
