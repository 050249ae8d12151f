/** The handshake and the envelopes of the message bus, over real gRPC connections. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { busProto } from '../../src/app/bus/settings.js';
import { pause } from '../../src/app/control/control.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import {
  bus_envelopes_max,
  bus_envelopes_per_peer_max,
  bus_failures_per_peer_max,
  bus_malformed_per_peer_max,
  SlidingWindow,
} from '../../src/bus/peers.js';
import { bus_message_bytes_max } from '../../src/base/limits.js';
import { wrapFrame } from '../../src/codec/bus.js';
import { readBlob } from '../../src/journal/reader.js';
import { bearerOf, beginCall, busForEach, envelope, type GivenBus, greeting } from '../support/bus/given-bus.js';
import { type Schema, schemaFaults } from '../support/http/schema-check.js';
import { until } from '../support/app/given-daemon.js';
import { real } from '../support/real.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { withStoppedClock } from '../support/app/fast-clock.js';

const token = 'a-token-of-this-very-bus';

const statusOf = async (call: http2.ClientHttp2Stream): Promise<unknown> =>
  ((await once(call.resume(), 'response')) as [http2.IncomingHttpHeaders])[0]['grpc-status'];

/** A bus, and a client that has sent the handshake. */
async function greeted(buses: ReturnType<typeof busForEach>, settings: Parameters<typeof buses.start>[0] = {}) {
  const bus = await buses.start(settings);
  const client = bus.client();
  await client.send(greeting);
  return { bus, client };
}

describe('the message bus', () => {
  const buses = busForEach();

  it('takes the handshake in each form, and of each connection alone', async () => {
    const bus = await buses.start();
    for (const first of [greeting, `${greeting} c2VjcmV0LW5vbmNl`, `${greeting}\nabc`, `${greeting};x`, `${greeting}\n`])
      assert.deepEqual(await bus.client().send(first), { code: 'OK', text: greeting }, first);
    assert.equal((await bus.client().send(envelope())).code, 'FAILED_PRECONDITION');
    assert.equal(bus.recorded().length, 0);
  });

  it('records an envelope before it responds with ok, without a token that no bus requires', async () => {
    const { bus, client } = await greeted(buses);
    assert.deepEqual(await client.send(envelope({ token })), { code: 'OK', text: 'ok' });
    const [received, ...more] = bus.recorded();
    assert.equal(more.length, 0);
    assert.match(received!.peer, /^127\.0\.0\.1:\d+$/);
    assert.deepEqual(received!.envelope, JSON.parse(envelope()));
    assert.equal(received!.via, 'bus');
    assert.equal((await verifyHome(bus.daemon.home, { deep: true, threads: 1 })).failure, null);
  });

  it('keeps a large envelope in a blob', async () => {
    const { bus, client } = await greeted(buses);
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
    await until(() => bus.figures.peers() === 0, 'the connections end');
    assert.ok(bus.figures.dropped() >= 1);
    assert.equal(bus.recorded().length, 0);
  });

  it('refuses even the handshake after the third failure', async () => {
    const bus = await buses.start({}, { limits: { linger_ms: 60_000 } });
    const client = bus.client();
    for (let failure = 0; failure < bus_failures_per_peer_max; failure++) await client.send('x');
    assert.equal((await client.send(greeting)).code, 'PERMISSION_DENIED');
  });

  it('refuses malformed envelopes with a reason that repeats nothing of them', async () => {
    const { bus, client } = await greeted(buses);
    const shapes = [{ sender: '' }, { sender: ' ' }, { sender: 7 }, { recipient: 'secret'.repeat(100) }, { ts: '1' }, { ts: -1 }];
    const misshapen = [...shapes, { payload: 'secret' }, { payload: null }, { extra: 'secret' }].map(envelope);
    const { $id: _, ...schema } = JSON.parse(readFileSync(join(busProto, '../envelope.schema.json'), 'utf8')) as Schema;
    for (const each of misshapen) assert.notEqual(schemaFaults(schema, JSON.parse(each), schema).length, 0, each);
    const deep = `${'['.repeat(62)}${']'.repeat(62)}`;
    const malformed = [
      '{',
      '[]',
      'null',
      '"secret"',
      '\ufeff{}',
      ...misshapen,
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
    const { bus, client } = await greeted(buses);
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

  it('checks the token of each envelope, records it nowhere, and ends a connection at the third wrong one', async () => {
    const { bus, client } = await greeted(buses, { token });
    assert.equal((await client.send(envelope())).code, 'UNAUTHENTICATED');
    assert.equal((await client.send(envelope({ token: `${token}x` }))).code, 'UNAUTHENTICATED');
    assert.equal((await client.send(envelope({ token: 'wrong' }))).code, 'PERMISSION_DENIED');
    await until(() => bus.figures.dropped() === 1, 'the connection ends');
    const right = bus.client();
    await right.send(`${greeting} ${token}`);
    assert.equal((await right.send(envelope({ token }))).code, 'OK');
    assert.equal((await right.send(envelope(), { authorization: `Bearer ${token}` })).code, 'OK');
    for (const misplaced of [{ sender: token }, { payload: { x: token } }, { payload: { [`a${token}`]: 1 } }])
      assert.equal((await right.send(envelope({ token, ...misplaced }))).code, 'INVALID_ARGUMENT');
    assert.equal(bus.recorded().length, 2);
    const files = ['journal.sqlite3', 'journal.sqlite3-wal'].map((name) => readFileSync(join(bus.home.directory, name)));
    assert.ok(files.every((bytes) => !bytes.includes(token)));
  });

  it('records while the agent is paused', async () => {
    const bus = await buses.start();
    await pause(bus.daemon.home, 'operator');
    const client = bus.client();
    await client.send(greeting);
    assert.equal((await client.send(envelope())).code, 'OK');
  });
});

const address = ({ port }: GivenBus) => ({ host: '127.0.0.1', port });

describe('peers of the message bus', () => {
  const buses = busForEach();
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  const open = async (bus: GivenBus): Promise<Socket> => {
    const socket = connect(address(bus));
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };

  it('accepts at most 60 envelopes a minute of one, and records no more', () =>
    withStoppedClock(async () => {
      const bus = await buses.start();
      const [flooding, quiet] = [bus.client(), bus.client()];
      await Promise.all([flooding.send(greeting), quiet.send(greeting)]);
      const answers = await Promise.all(Array.from({ length: 3 * bus_envelopes_per_peer_max }, () => flooding.send(envelope())));
      const codes = answers.map(({ code }) => code);
      assert.equal(codes.filter((code) => code === 'OK').length, bus_envelopes_per_peer_max);
      assert.equal(codes.filter((code) => code === 'RESOURCE_EXHAUSTED').length, 2 * bus_envelopes_per_peer_max);
      assert.equal((await quiet.send(envelope())).code, 'OK');
      assert.equal(bus.recorded().length, bus_envelopes_per_peer_max + 1);
      assert.equal(bus.figures.messages().too_many, 2 * bus_envelopes_per_peer_max);
    }));

  it('accepts at most 600 envelopes a minute of all', () =>
    withStoppedClock(async () => {
      const bus = await buses.start();
      const clients = Array.from({ length: bus_envelopes_max / bus_envelopes_per_peer_max + 1 }, () => bus.client());
      const bearer = bearerOf(bus);
      const send = async (client: (typeof clients)[number]): Promise<number> => {
        await client.send(greeting);
        let accepted = 0;
        for (let i = 0; i < bus_envelopes_per_peer_max; i++)
          if ((await client.send(envelope(), bearer)).code === 'OK') accepted++;
        return accepted;
      };
      const accepted = (await Promise.all(clients.map(send))).reduce((a, b) => a + b);
      assert.equal(accepted, bus_envelopes_max);
      assert.equal(bus.recorded().length, bus_envelopes_max);
    }));

  it('counts within any window of time', () => {
    const window = new SlidingWindow(2, 100);
    const at = (now: number): boolean => window.hasRoom(now) && (window.count(now), true);
    assert.deepEqual([0, 60, 99, 100, 101, 159, 160].map(at), [true, true, false, true, false, false, true]);
  });

  it('disconnects one that sends no whole message', async () => {
    const bus = await buses.start({}, { limits: { first_message_ms_max: 50 } });
    const silent = await open(bus);
    const halfway = await open(bus);
    halfway.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const web = await open(bus);
    web.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const socket of [silent, halfway, web]) socket.resume();
    const calling = http2.connect(`http://127.0.0.1:${bus.port}`).on('error', () => undefined);
    beginCall(calling).on('error', () => undefined);
    await until(() => [silent, halfway, web, calling].every(({ closed }) => closed), 'the connections end');
    await until(() => bus.figures.peers() === 0, 'the connections are forgotten');
  });

  it('ends a call whose message does not arrive', async () => {
    const bus = await buses.start({}, { limits: { message_ms_max: 50 } });
    assert.equal(await statusOf(beginCall(http2.connect(`http://127.0.0.1:${bus.port}`))), '4');
    assert.equal(bus.figures.messages().incomplete, 1);
  });

  it('stops although connections are open, and answers the calls that have begun', async () => {
    const { bus, client } = await greeted(buses);
    await open(bus);
    const session = http2.connect(`http://127.0.0.1:${bus.port}`);
    assert.equal(await statusOf(beginCall(session).end(Buffer.alloc(99))), '9');
    const begun = beginCall(session);
    await new Promise((resolve) => session.ping(resolve));
    const stopped = bus.stop();
    assert.equal(await statusOf(begun.end(Buffer.alloc(99))), '9');
    await stopped;
    assert.equal((await client.send(envelope())).code, 'UNAVAILABLE');
    await bus.daemon.stop();
  });

  it('reports that nothing can be recorded, and not why', async () => {
    const { bus, client } = await greeted(buses);
    await bus.daemon.stop();
    const { code, text } = await client.send(envelope());
    assert.ok(code === 'INTERNAL' || code === 'UNAVAILABLE', code);
    assert.match(text, /^the envelope was not recorded/);
  });

  real('openssl', 'with TLS', () => {
    const folders = folderForEach();
    it('takes connections that trust its certificate, and no cleartext', async () => {
      const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folders.get(), name)) as [string, string];
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      const files = ['-keyout', key, '-out', cert];
      const made = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', ...subject, ...files];
      execFileSync('openssl', made, { stdio: 'ignore' });
      const bus = await buses.start({ tls: { cert: readFileSync(cert), key: readFileSync(key) } });
      const options = { 'grpc.ssl_target_name_override': 'localhost' };
      const secure = bus.client({ secure: credentials.createSsl(readFileSync(cert)), options });
      assert.equal((await secure.send(greeting)).code, 'OK');
      assert.equal((await secure.send(envelope())).code, 'OK');
      assert.match(bus.recorded()[0]!.peer, /^127\.0\.0\.1:\d+$/);
      assert.equal((await bus.client().send(greeting)).code, 'UNAVAILABLE');
      assert.equal((await bus.client({ secure: credentials.createSsl() }).send(greeting)).code, 'UNAVAILABLE');
    });
  });
});
