/** Addresses of queues, and the credentials that homes and workers read from the environment. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNatsAddress } from '../../../src/codec/nats-url.js';
import { no_credentials, readNatsCredentials } from '../../../src/app/workers/nats.js';
import { throwsRefusal } from '../../support/app/given-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';

describe('the address of a queue', () => {
  it('is nats:// on loopback, tls:// anywhere, with the usual port unless it names one', () => {
    const read = (text: string): unknown => readNatsAddress(text);
    assert.deepEqual(read('nats://127.0.0.1'), { url: 'nats://127.0.0.1:4222', host: '127.0.0.1', port: 4_222, tls: false });
    assert.deepEqual(read('nats://[::1]:5'), { url: 'nats://[::1]:5', host: '::1', port: 5, tls: false });
    assert.deepEqual(read('tls://Queue.Example:1'), { url: 'tls://queue.example:1', host: 'queue.example', port: 1, tls: true });
  });

  it('is refused in cleartext beyond loopback, with credentials, a path or a wrong port, and is not repeated', () => {
    for (const text of [
      'nats://example.org',
      'nats://192.168.1.2:4222',
      'nats://0.0.0.0:4222',
      'nats://127.0.0.1.example.org',
      'nats://user:secret@localhost',
      'nats://secret@localhost',
      'tls://example.org/secret',
      'tls://example.org?token=secret',
      'tls://example.org:65536',
      'tls://',
      'http://localhost',
      'localhost:4222',
    ]) {
      const fault = readNatsAddress(text);
      assert.ok(typeof fault === 'string' && !fault.includes('secret'), text);
    }
  });
});

describe('the credentials of a queue', () => {
  const homes = homeForEach();

  it('may be none, a token, or a private file', () => {
    assert.deepEqual(readNatsCredentials({}), no_credentials);
    assert.deepEqual(readNatsCredentials({ AGENT_NATS_TOKEN: 't0ken' }), { ...no_credentials, token: 't0ken' });
    const file = join(homes.get().root, 'queue.creds');
    writeFileSync(file, 'creds', { mode: 0o600 });
    assert.deepEqual(readNatsCredentials({ AGENT_NATS_CREDS: file, AGENT_NATS_CA: file }), {
      creds: 'creds',
      token: null,
      ca: 'creds',
    });
  });

  it('are refused as two kinds, as a file that others read or that is not there, and as a token with blanks', () => {
    const file = join(homes.get().root, 'open.creds');
    writeFileSync(file, 'creds');
    chmodSync(file, 0o644);
    for (const env of [
      { AGENT_NATS_CREDS: file, AGENT_NATS_TOKEN: 't' },
      ...(process.platform === 'win32' ? [] : [{ AGENT_NATS_CREDS: file }]),
      { AGENT_NATS_CREDS: `${file}.none` },
      { AGENT_NATS_CA: homes.get().root },
      { AGENT_NATS_TOKEN: 'a b' },
    ])
      throwsRefusal(() => readNatsCredentials(env), 'invalid');
  });
});
