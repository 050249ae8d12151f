import { deepStrictEqual, strictEqual } from 'node:assert';
import { isAllowed, readAddress } from '../../src/http/core/head.js';
import { isOwnOrigin } from '../../src/http/operator/policy.js';

describe('host: the names that a server accepts', () => {
  const yes = ['localhost', 'localhost:8765', '127.0.0.1', '127.0.0.1:1', '127.9.8.255', '[::1]', '[::1]:8765'];
  const no = [
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.localhost',
    'localhost:',
    'localhost:x',
    'localhost:65536',
    '127.0.0.1.evil.example',
    '127.0.0.256',
    '127.0.0.01',
    '127.1',
    '2130706433',
    '[::2]',
    '[127.0.0.1]',
    '[::1',
    'x,localhost',
    'localhost localhost',
    'user@localhost',
    '0.0.0.0',
  ];
  for (const host of yes) it(`include ${host}`, () => strictEqual(isAllowed(host, []), true));
  for (const host of no) it(`do not include ${host || '(empty)'}`, () => strictEqual(isAllowed(host, []), false));

  it('may be given: with a port for that port, without one for any', () => {
    const allowed = ['Agent.example', '10.0.0.5:8765'];
    const tried = ['agent.example', 'agent.example:99', '10.0.0.5:8765', '10.0.0.5:8766', '10.0.0.5'];
    deepStrictEqual(
      tried.map((host) => isAllowed(host, allowed)),
      [true, true, true, false, false],
    );
  });
});

describe('host: the target', () => {
  const read = (url: string, host: string | null, version = '1.1') => {
    const { target, denial } = readAddress(version, url, host === null ? [] : ['Host', host], []);
    return denial?.code ?? target;
  };
  it('is a path, or an absolute address of the same host', () => {
    strictEqual(read('/m?q=1', 'localhost'), '/m?q=1');
    strictEqual(read('http://LocalHost:8765/m?q=1', 'localhost:8765'), '/m?q=1');
    strictEqual(read('http://localhost', 'localhost'), '/');
    strictEqual(read('http://localhost?q', 'localhost'), '/?q');
    strictEqual(read('*', 'localhost'), '*');
  });
  it('is refused where it names another host, or nothing', () => {
    strictEqual(read('http://evil/m', 'localhost'), 'malformed');
    strictEqual(read('http://user@localhost/m', 'localhost'), 'malformed');
    strictEqual(read('http://evil/m', 'evil'), 'misdirected');
    strictEqual(read('http://localhost/m', null, '1.0'), 'malformed');
    strictEqual(read('ftp://localhost/m', 'localhost'), 'malformed');
    strictEqual(read('m', 'localhost'), 'malformed');
    strictEqual(read('/m', null), 'malformed');
    strictEqual(read('/m', null, '1.0'), '/m');
  });
});

describe('origin', () => {
  const own = (origin: string | null, host: string | null): boolean =>
    isOwnOrigin(origin === null ? [] : ['oRiGin', origin], host);
  it('is accepted when it is absent, or the one that the host is served under', () => {
    strictEqual(own(null, 'localhost:8765'), true);
    strictEqual(own('http://localhost:8765', 'localhost:8765'), true);
    strictEqual(own('https://agent.example', 'agent.example'), true);
    strictEqual(own('http://agent.example', 'agent.example:80'), true);
    strictEqual(own('https://agent.example', 'agent.example:443'), true);
    strictEqual(own('http://[::1]:8765', '[::1]:8765'), true);
  });
  it('is refused when it is any other', () => {
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      'http://localhost',
      'http://localhost:8765/',
      'file://',
      'localhost:8765',
    ]) {
      strictEqual(own(origin, 'localhost:8765'), false, origin);
    }
    strictEqual(own('http://localhost:8765.evil.example', 'localhost:8765'), false);
    strictEqual(own('https://agent.example', 'agent.example:80'), false);
    strictEqual(own('http://x', null), false);
    strictEqual(isOwnOrigin(['Origin', 'http://x', 'origin', 'http://x'], 'x'), false);
  });
});
