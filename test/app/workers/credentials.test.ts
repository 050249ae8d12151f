/** Addresses of queues, and the credentials that homes and workers read from the environment. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import { readNatsAddress } from '../../../src/codec/nats-url.js';
import { no_credentials, readNatsCredentials } from '../../../src/app/workers/nats-credentials.js';
import { connectOver } from '../../../src/app/workers/nats-transport.js';
import { listening } from '../../support/listening.js';
import { throwsRefusal } from '../../support/app/given-home.js';
import { homeForEach } from '../../support/app/temporary-home.js';
import { Heard } from '../../../src/app/workers/home-jobs.js';
import { nats_connect_ms_max, nats_first_connection_ms_max } from '../../../src/base/limits.js';
import { readBeat } from '../../../src/app/workers/messages.js';
import { readAnswer, readMissionJob, writeMissionJob } from '../../../src/app/workers/mission-job.js';
import type { EngineInput } from '../../../src/engines/engine.js';
import { engineInput } from '../../../src/kinds/engine-input.js';
import { missionRequest } from '../../../src/kinds/request.js';
import type { Work } from '../../../src/kinds/works.js';
import { decode } from '../../../src/codec/kit.js';
import { unwrap } from '../../../src/base/refusal.js';
import { minimal } from '../../support/codec/mission-samples.js';

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
    const creds = '-----BEGIN NATS USER JWT-----\neyJ0.eyJ-.s_g\n------END NATS USER JWT------\n\n*** IMPORTANT ***\n\n';
    const seed = `-----BEGIN USER NKEY SEED-----\nSU${'A2'.repeat(28)}\n------END USER NKEY SEED------\n`;
    const file = join(homes.get().root, 'queue.creds');
    writeFileSync(file, `${creds}${seed}`.replaceAll('\n', '\r\n'), { mode: 0o600 });
    assert.deepEqual(readNatsCredentials({ AGENT_NATS_CREDS: file }), { ...no_credentials, creds: `${creds}${seed}` });
  });

  it('are refused as two kinds, a token with blanks, and a file that others read, is not there or holds something else', () => {
    const file = join(homes.get().root, 'open.creds');
    writeFileSync(file, 'creds');
    chmodSync(file, 0o644);
    for (const [env, said] of [
      [{ AGENT_NATS_CREDS: file, AGENT_NATS_TOKEN: 't' }, 'set together'],
      ...(process.platform === 'win32' ? [] : ([[{ AGENT_NATS_CREDS: file }, 'others']] as const)),
      [{ AGENT_NATS_CREDS: `${file}.none` }, 'ENOENT'],
      [{ AGENT_NATS_CA: homes.get().root }, 'regular file'],
      [{ AGENT_NATS_CA: file }, 'does not hold a certificate'],
      [{ AGENT_NATS_TOKEN: 'a b' }, 'visible ASCII'],
    ] as const)
      assert.ok(throwsRefusal(() => readNatsCredentials(env), 'invalid').detail.includes(said), said);
    chmodSync(file, 0o600);
    throwsRefusal(() => readNatsCredentials({ AGENT_NATS_CREDS: file }), 'invalid');
  });
});

describe('the workers of a queue that is not connected yet', () => {
  it('are waited for longer while it may only be slow than when it refuses', () => {
    const heard = new Heard();
    const after = (ms: number): boolean => heard.isNobody(performance.now() + ms);
    assert.deepEqual([after(nats_first_connection_ms_max + 1), after(nats_connect_ms_max + 1)], [false, true]);
    heard.refused('');
    assert.deepEqual([after(0), after(nats_first_connection_ms_max + 1)], [false, true]);
  });

  for (const words of ['', 'INFO {"headers":true}\r\n\u001b[31mother\r\n'])
    it(`are not connected, and nothing is printed, where the server says ${words === '' ? 'nothing' : 'other words'}`, async () => {
      const printed = mock.method(console, 'log', () => undefined);
      const server = createServer((socket) => socket.write(words));
      const { port, close } = await listening(server);
      const closed = once(server, 'connection').then(([socket]: Socket[]) => once(socket!.resume(), 'close'));
      await assert.rejects(connectOver({ servers: `127.0.0.1:${port}`, timeout: 200 }), { message: 'timeout' });
      await Promise.all([closed, close()]);
      printed.mock.restore();
      assert.equal(printed.mock.callCount(), 0);
    });
});

const inputOf = (kind: Work['kind']): EngineInput<Work> =>
  engineInput(unwrap(decode(missionRequest, minimal(kind))), { max_evaluations: 100 }, null);
const changed = (kind: Work['kind'], members: object): Uint8Array =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(Buffer.from(writeMissionJob(inputOf(kind))).toString()) as object), ...members }));

describe('a worker', () => {
  it('is idle when it has had no job for a while, not between two jobs', () => {
    const heard = new Heard();
    const says = (done: number, at: number): number => (heard.worker({ instance: 'i', done, jobs: [] }, at), heard.idleAt);
    assert.deepEqual([says(1, 0), says(2, 1_000), says(2, 1_001)], Array(3).fill(Number.NEGATIVE_INFINITY));
    assert.equal(says(2, 2_000), 2_000);
  });

  it('has a version that a terminal can print', () => {
    const beat = { key: 'a'.repeat(64), instance: 'i', release: 'r', done: 0, jobs: [], is_ending: false };
    const isHeard = (version: string): boolean => readBeat(Buffer.from(JSON.stringify({ ...beat, version }))) !== null;
    assert.deepEqual(['2.0.0', 'of a test', '\u001b[31m'].map(isHeard), [true, true, false]);
  });
});

describe('the job of a mission', () => {
  it('is not computed with another engine, another version, further members or another shape', () => {
    const { name, version } = readMissionJob(changed('schedule', {}))!.engine;
    for (const members of [
      { engine: { name, version: `${version}.1` } },
      { engine: { name: 'allocation', version } },
      { more: 1 },
      { seed: -1 },
      { work: {} },
    ])
      assert.equal(readMissionJob(changed('schedule', members)), null, JSON.stringify(members));
    assert.equal(readMissionJob(Buffer.from('{')), null);
  });

  for (const kind of ['research', 'forecast', 'code'] as const)
    it(`cannot be made of a ${kind} mission`, () => {
      assert.throws(() => writeMissionJob(inputOf(kind)), /not computed on other machines/);
      assert.equal(readMissionJob(changed('schedule', { work: inputOf(kind).work })), null);
    });

  it('has a result only in bytes of its own form', () => {
    for (const text of ['', 'null', '{"type":"refused"}', '{"type":"answered","result":1,"iterations":1,"solution":null}'])
      assert.equal(readAnswer(Buffer.from(text)), null, text);
  });
});
