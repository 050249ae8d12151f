import assert from 'node:assert/strict';
import { throwsRefusal } from '../support/given-home.js';
import { isLinkWanted, listeningOf, loginLink, readableLine, urlOf } from '../../src/cli/serve.js';

const local = { host: '127.0.0.1', allowRemote: false };

describe('serve: flags and environment', () => {
  for (const [what, given, env, expected] of [
    ['nothing said', local, {}, ['127.0.0.1', 8_765, []]],
    ['the variable', local, { AGENT_PORT: '9000' }, ['127.0.0.1', 9_000, []]],
    ['an empty variable', local, { AGENT_PORT: '' }, ['127.0.0.1', 8_765, []]],
    ['the flag wins', { ...local, port: 9_001 }, { AGENT_PORT: 'nonsense' }, ['127.0.0.1', 9_001, []]],
    ['any free port', { ...local, port: 0 }, {}, ['127.0.0.1', 0, []]],
    ['IPv6', { ...local, host: '[::1]' }, {}, ['::1', 8_765, []]],
    [
      'names',
      local,
      { AGENT_ALLOWED_HOSTS: ' a.example , b.example:8443,' },
      ['127.0.0.1', 8_765, ['a.example', 'b.example:8443']],
    ],
  ] as const) {
    it(what, () => {
      const { host, port, allowedHosts, warnings } = listeningOf(given, env);
      assert.deepEqual([host, port, allowedHosts], expected);
      assert.deepEqual(warnings, []);
    });
  }

  for (const [what, given, env, path] of [
    ['another address', { ...local, host: '0.0.0.0' }, {}, 'host'],
    ['a name that only looks like one of ours', { ...local, host: 'localhost.example' }, {}, 'host'],
    ['no name, which would be every address', { ...local, host: '', allowRemote: true }, {}, 'host'],
    ['a name with control characters', { ...local, host: '\u001b[2J' }, {}, 'host'],
    ['a port beyond the last', { ...local, port: 65_536 }, {}, 'port'],
    ['a negative port', { ...local, port: -1 }, {}, 'port'],
    ['a port that is no number', local, { AGENT_PORT: '80a' }, 'AGENT_PORT'],
    ['a signed port', local, { AGENT_PORT: '+80' }, 'AGENT_PORT'],
    ['a URL for a name', local, { AGENT_ALLOWED_HOSTS: 'http://a.example' }, 'AGENT_ALLOWED_HOSTS'],
    ['a wildcard', local, { AGENT_ALLOWED_HOSTS: '*.example' }, 'AGENT_ALLOWED_HOSTS'],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refusal = throwsRefusal(() => listeningOf(given, env), 'invalid');
      assert.equal(refusal.errors?.[0]?.path, path);
      assert.ok(!refusal.detail.includes('\u001b'));
    });
  }

  it('warns of an address that others reach, and of missing names', () => {
    const remote = { host: '192.0.2.7', allowRemote: true };
    assert.equal(listeningOf(remote, {}).warnings.length, 2);
    const [only, ...more] = listeningOf(remote, { AGENT_ALLOWED_HOSTS: 'a.example' }).warnings;
    assert.match(only ?? '', /^192\.0\.2\.7 can be reached from other machines/);
    assert.deepEqual(more, []);
  });

  it('prints a login link for people and with the flag, and for loopback alone', () => {
    for (const [flag, host, isReadByPeople, expected] of [
      [undefined, '127.0.0.1', true, true],
      [undefined, 'localhost', true, true],
      [undefined, '127.0.0.1', false, false],
      [true, '::1', false, true],
      [false, '127.0.0.1', true, false],
      [undefined, '0.0.0.0', true, false],
      [false, '0.0.0.0', true, false],
    ] as const) {
      assert.equal(isLinkWanted(flag, host, isReadByPeople), expected, `${flag} ${host} ${isReadByPeople}`);
    }
    const refusal = throwsRefusal(() => isLinkWanted(true, '0.0.0.0', true), 'invalid');
    assert.equal(refusal.errors?.[0]?.path, 'login-link');
    assert.equal(loginLink({ address: '::1', code: 'abc' }, 8_765), 'http://[::1]:8765/#login=abc');
  });

  it('prints the address as a browser expects it', () => {
    assert.equal(urlOf('127.0.0.1', 1), 'http://127.0.0.1:1/');
    assert.equal(urlOf('::1', 1), 'http://[::1]:1/');
  });
});

describe('serve: its log for people', () => {
  it('prints one line, without control characters', () => {
    const line = {
      level: 30,
      time: '2026-11-20T10:11:12.000Z',
      request_id: 'x',
      method: 'GET',
      route: '',
      actor: null,
      ms: 3,
      msg: 'a\u001b[31m\nb',
    };
    assert.equal(readableLine(`${JSON.stringify(line)}\n`), '10:11:12 a\ufffd[31m b method=GET ms=3\n');
  });
});
