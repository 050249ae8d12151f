/** What peers of the message bus may cost: floods, silent and half-open connections, too many of them, and TLS. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { bus_envelopes_max, bus_envelopes_per_peer_max } from '../../src/base/bus-limits.js';
import { SlidingWindow } from '../../src/bus/peers.js';
import { startBus } from '../../src/bus/serve.js';
import { rejectsRefusal } from '../support/given-home.js';
import { busForEach, envelope, greeting, type GivenBus } from '../support/given-bus.js';
import { until } from '../support/given-daemon.js';
import { real } from '../support/real.js';
import { folderForEach } from '../support/temporary-home.js';

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

  it('accepts at most 60 envelopes a minute of one, and records no more', async () => {
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
  });

  it('accepts at most 600 envelopes a minute of all', async () => {
    const bus = await buses.start();
    const clients = Array.from({ length: bus_envelopes_max / bus_envelopes_per_peer_max + 1 }, () => bus.client());
    const send = async (client: (typeof clients)[number]): Promise<number> => {
      await client.send(greeting);
      let accepted = 0;
      for (let i = 0; i < bus_envelopes_per_peer_max; i++) if ((await client.send(envelope())).code === 'OK') accepted++;
      return accepted;
    };
    const accepted = await Promise.all(clients.map(send));
    assert.equal(
      accepted.reduce((a, b) => a + b),
      bus_envelopes_max,
    );
    assert.equal(bus.recorded().length, bus_envelopes_max);
  });

  it('counts within any window of time', () => {
    const window = new SlidingWindow(2, 100);
    const at = (now: number): boolean => window.hasRoom(now) && (window.count(now), true);
    assert.deepEqual([0, 60, 99, 100, 101, 159, 160].map(at), [true, true, false, true, false, false, true]);
  });

  it('disconnects one that never calls', async () => {
    const bus = await buses.start({}, { limits: { first_call_ms_max: 50 } });
    const silent = await open(bus);
    const halfway = await open(bus);
    halfway.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const web = await open(bus);
    web.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const socket of [silent, halfway, web]) socket.resume();
    await until(() => [silent, halfway, web].every(({ closed }) => closed), 'the connections end');
    await until(() => bus.figures.peers() === 0, 'the connections are forgotten');
  });

  it('ends a call whose message does not arrive', async () => {
    const bus = await buses.start({}, { limits: { message_ms_max: 50 } });
    const session = http2.connect(`http://127.0.0.1:${bus.port}`);
    try {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/bus.Bus/Send',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      // The head of a message of 100 bytes, and no more.
      stream.write(Buffer.from([0, 0, 0, 0, 100, 1]));
      const [head] = (await once(stream.resume(), 'response')) as [http2.IncomingHttpHeaders];
      assert.equal(head['grpc-status'], '4');
      assert.equal(bus.figures.messages().incomplete, 1);
    } finally {
      session.destroy();
    }
  });

  it('refuses further connections than it may have', async () => {
    const bus = await buses.start({}, { peers_max: 2 });
    await Promise.all([open(bus), open(bus)]);
    await until(() => bus.figures.peers() === 2, 'two are connected');
    const third = connect(address(bus)).on('error', () => undefined);
    sockets.push(third);
    await once(third.resume(), 'close');
    assert.equal(bus.figures.dropped(), 1);
  });

  it('stops although connections are open', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    await open(bus);
    await bus.stop();
    assert.equal((await client.send(envelope())).code, 'UNAVAILABLE');
    await bus.daemon.stop();
  });

  it('reports that nothing can be recorded, and not why', async () => {
    const bus = await buses.start();
    const client = bus.client();
    await client.send(greeting);
    await bus.daemon.stop();
    const { code, text } = await client.send(envelope());
    assert.ok(code === 'INTERNAL' || code === 'UNAVAILABLE', code);
    assert.match(text, /^the envelope was not recorded/);
  });

  it('names a taken port and what to set', async () => {
    const bus = await buses.start();
    const settings = { host: '127.0.0.1', port: bus.port, isPortNamed: true, tls: null, token: null };
    const { detail } = await rejectsRefusal(startBus(bus.daemon.home, { settings, onWarning: () => undefined }), 'port_taken');
    const what = `port ${bus.port} of 127.0.0.1 is taken by another program`;
    assert.equal(detail, `${what}; set AGI_INSIGHT_BUS_PORT to another port, or to 0 for no bus`);
  });

  real('openssl', 'with TLS', () => {
    const folders = folderForEach();
    it('takes connections that trust its certificate, and no cleartext', async () => {
      const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folders.get(), name)) as [string, string];
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      const files = ['-keyout', key, '-out', cert];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', ...subject, ...files], {
        stdio: 'ignore',
      });
      const bus = await buses.start({ tls: { cert: readFileSync(cert), key: readFileSync(key) } });
      const secure = bus.client({ secure: credentials.createSsl(readFileSync(cert)) });
      assert.equal((await secure.send(greeting)).code, 'OK');
      assert.equal((await secure.send(envelope())).code, 'OK');
      assert.match(bus.recorded()[0]!.peer, /^127\.0\.0\.1:\d+$/);
      assert.equal((await bus.client().send(greeting)).code, 'UNAVAILABLE');
      assert.equal((await bus.client({ secure: credentials.createSsl() }).send(greeting)).code, 'UNAVAILABLE');
    });
  });
});
