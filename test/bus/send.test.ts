/** The handshake and the envelopes of the message bus, over real gRPC connections. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrapFrame } from '../../src/codec/bus.js';
import { bus_failures_per_peer_max, bus_malformed_per_peer_max, bus_message_bytes_max } from '../../src/base/bus-limits.js';
import { readBlob } from '../../src/journal/reader.js';
import { pause } from '../../src/app/home/control.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { busForEach, envelope, greeting } from '../support/given-bus.js';
import { until } from '../support/given-daemon.js';

const token = 'a-token-of-this-very-bus';

describe('the message bus', () => {
  const buses = busForEach();

  it('takes the handshake in each form', async () => {
    const bus = await buses.start();
    for (const first of [greeting, `${greeting} c2VjcmV0LW5vbmNl`, `${greeting}\nabc`, `${greeting};x`, `${greeting}\n`])
      assert.deepEqual(await bus.client().send(first), { code: 'OK', text: greeting }, first);
    assert.equal(bus.recorded().length, 0);
  });

  it('records an envelope before it responds with ok', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    assert.deepEqual(await client.send(envelope()), { code: 'OK', text: 'ok' });
    const [received, ...more] = bus.recorded();
    assert.equal(more.length, 0);
    assert.match(received!.peer, /^127\.0\.0\.1:\d+$/);
    assert.deepEqual(received!.envelope, JSON.parse(envelope()));
    assert.equal((await verifyHome(bus.daemon.home, { deep: true, tables: true, threads: 1 })).failure, null);
  });

  it('keeps a large envelope in a blob', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    const large = envelope({ payload: { text: 'ä'.repeat(100_000) } });
    assert.equal((await client.send(large)).code, 'OK');
    const { envelope: inline, envelope_blob = '' } = bus.recorded()[0]!;
    assert.equal(inline, undefined);
    assert.deepEqual(JSON.parse(readBlob(bus.daemon.home.db, envelope_blob)!.toString()), JSON.parse(large));
  });

  it('unwraps a message that is a Frame and responds with a Frame', async () => {
    const bus = await buses.start();
    const client = bus.client();
    assert.equal((await client.send(wrapFrame(Buffer.from(greeting)))).text, `\n\u000e${greeting}`);
    assert.equal((await client.send(wrapFrame(Buffer.from(envelope())))).text, '\n\u0002ok');
    assert.equal((await client.send(envelope())).text, 'ok');
    assert.equal(bus.recorded().length, 2);
  });

  it('refuses any other first message, and the third one ends the connection', async () => {
    const bus = await buses.start();
    for (const first of ['', 'proto_schema=2', 'proto_schema=10', 'hello', envelope(), '\u0000', `${greeting} \u0001`]) {
      const client = bus.client();
      for (let failure = 1; failure < bus_failures_per_peer_max; failure++)
        assert.equal((await client.send(first)).code, 'FAILED_PRECONDITION', first);
      assert.equal((await client.send(first)).code, 'PERMISSION_DENIED', first);
    }
    const before = bus.figures.dropped();
    await until(() => bus.figures.peers() === 0, 'the connections end');
    assert.ok(bus.figures.dropped() >= before && bus.figures.dropped() >= 1);
    assert.equal(bus.recorded().length, 0);
  });

  it('refuses even the handshake after the third failure', async () => {
    const bus = await buses.start({}, { limits: { linger_ms: 60_000 } });
    const client = bus.client();
    for (let failure = 0; failure < bus_failures_per_peer_max; failure++) await client.send('x');
    assert.equal((await client.send(greeting)).code, 'PERMISSION_DENIED');
  });

  it('knows the handshake of each connection alone', async () => {
    const bus = await buses.start();
    const first = bus.client();
    await first.send(greeting);
    assert.equal((await bus.client().send(envelope())).code, 'FAILED_PRECONDITION');
    assert.equal((await first.send(envelope())).code, 'OK');
  });

  it('refuses malformed envelopes with a reason that repeats nothing of them', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    const deep = `${'['.repeat(62)}${']'.repeat(62)}`;
    const malformed = [
      '{',
      '[]',
      'null',
      '"secret"',
      '\ufeff{}',
      envelope({ sender: '' }),
      envelope({ sender: 7 }),
      envelope({ ts: '1' }),
      envelope({ ts: -1 }),
      envelope({ payload: 'secret' }),
      envelope({ payload: null }),
      envelope({ extra: 'secret' }),
      envelope({ recipient: 'secret'.repeat(100) }),
      envelope().replace('1795152700.5', '1e999'),
      envelope().replace('"task"', '"a":1,"a"'),
      envelope().replace('"try"', deep),
      envelope({ payload: { n: 'secret' } }).replace('"secret"', '12345678901234567890'),
      Buffer.from([0x7b, 0xff, 0x7d]),
    ];
    for (const message of malformed) {
      const { code, text } = await client.send(message);
      assert.equal(code, 'INVALID_ARGUMENT', String(message));
      assert.ok(!text.includes('secret') && !/[/\\]|at |Error|\.ts|\.js/.test(text), text);
    }
    assert.equal(bus.recorded().length, 0);
    assert.equal((await client.send(envelope())).code, 'OK');
  });

  it('ends a connection that sends malformed envelopes again and again', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    for (let i = 1; i < bus_malformed_per_peer_max; i++) assert.equal((await client.send('{')).code, 'INVALID_ARGUMENT');
    assert.equal((await client.send('{')).code, 'PERMISSION_DENIED');
    await until(() => bus.figures.dropped() === 1, 'the connection ends');
  });

  it('refuses a message over 1 MiB, and takes one of 1 MiB', async () => {
    const bus = await buses.start();
    const client = bus.client({ options: { 'grpc.max_send_message_length': -1 } });
    await client.send(greeting);
    const text = (length: number): string => envelope({ payload: { text: 'x'.repeat(length) } });
    const rest = bus_message_bytes_max - Buffer.byteLength(text(0));
    const over = await client.send(text(rest + 1));
    assert.equal(over.code, 'RESOURCE_EXHAUSTED');
    assert.equal((await client.send(text(rest))).code, 'OK');
    await until(() => bus.figures.messages().incomplete === 1, 'the large message is counted');
    assert.equal(bus.recorded().length, 1);
  });

  it('checks the token of each envelope, and records it nowhere', async () => {
    const bus = await buses.start({ token });
    const client = bus.client();
    await client.send(greeting);
    assert.equal((await client.send(envelope())).code, 'UNAUTHENTICATED');
    assert.equal((await client.send(envelope({ token: `${token}x` }))).code, 'UNAUTHENTICATED');
    const right = bus.client();
    await right.send(`${greeting} ${token}`);
    assert.equal((await right.send(envelope({ token }))).code, 'OK');
    assert.equal((await right.send(envelope(), { authorization: `Bearer ${token}` })).code, 'OK');
    for (const misplaced of [{ sender: token }, { payload: { x: token } }, { payload: { [`a${token}`]: 1 } }])
      assert.equal((await right.send(envelope({ token, ...misplaced }))).code, 'INVALID_ARGUMENT');
    assert.ok(bus.recorded().length >= 2);
    const files = ['journal.sqlite3', 'journal.sqlite3-wal'].map((name) => readFileSync(join(bus.home.directory, name)));
    assert.ok(files.every((bytes) => !bytes.includes(token)));
  });

  it('ends a connection at its third wrong token', async () => {
    const bus = await buses.start({ token });
    const client = bus.client();
    await client.send(greeting);
    for (let i = 1; i < bus_failures_per_peer_max; i++)
      assert.equal((await client.send(envelope({ token: 'wrong' }))).code, 'UNAUTHENTICATED');
    assert.equal((await client.send(envelope({ token: 'wrong' }))).code, 'PERMISSION_DENIED');
    await until(() => bus.figures.dropped() === 1, 'the connection ends');
    assert.equal(bus.recorded().length, 0);
  });

  it('never records a token that no bus has required', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    assert.equal((await client.send(envelope({ token }))).code, 'OK');
    assert.deepEqual(bus.recorded()[0]!.envelope, JSON.parse(envelope()));
  });

  it('records while the agent is paused', async () => {
    const bus = await buses.start();
    await pause(bus.daemon.home, 'operator');
    const client = bus.client();
    await client.send(greeting);
    assert.equal((await client.send(envelope())).code, 'OK');
  });
});
