/** Streams of envelopes for a recipient: from now on or after an entry, with a token, and bounded. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientReadableStream, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { unwrapFrame, wrapFrame } from '../../src/codec/bus.js';
import { alter } from '../journal/tamper.js';
import { bearerOf, busForEach, envelope, greeting, type GivenBus, metadataOf } from '../support/bus/given-bus.js';
import { hang_ms } from '../support/wait.js';
import { keptForEach } from '../support/lists.js';

const same = (bytes: Buffer): Buffer => bytes;

interface Reader {
  readonly stream: ClientReadableStream<Buffer>;
  /** Resolves when the stream has begun: what is recorded from then on is delivered. */
  readonly begun: Promise<void>;
  readonly next: () => Promise<{ sequence: number; envelope: { payload: unknown; recipient: string } }>;
  /** Returns the name of the status with which the stream ends. */
  readonly ended: Promise<string>;
}

describe('subscriptions of the message bus', () => {
  const buses = busForEach();
  const kept = keptForEach<Client>((client) => client.close());

  function subscribe(
    bus: GivenBus,
    request: Buffer | Readonly<Record<string, unknown>>,
    fields: Readonly<Record<string, string>> = bearerOf(bus),
  ): Reader {
    const client = new Client(`${bus.host}:${bus.port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
    kept(client);
    const metadata = metadataOf(fields);
    const bytes = Buffer.isBuffer(request) ? request : Buffer.from(JSON.stringify(request));
    const stream = client.makeServerStreamRequest('/bus.Bus/Subscribe', same, same, bytes, metadata, {});
    const received: Buffer[] = [];
    stream.on('data', (message: Buffer) => received.push(message));
    const begun = new Promise<void>((resolve) => stream.once('metadata', () => resolve()));
    const ended = new Promise<string>((resolve) =>
      stream.once('error', (error: ServiceError) => resolve(status[error.code] ?? '')),
    );
    const next: Reader['next'] = async () => {
      for (const end = performance.now() + hang_ms; performance.now() < end; await sleep(5)) {
        const message = received.shift();
        if (message !== undefined) return JSON.parse((unwrapFrame(message) ?? message).toString());
      }
      throw new Error('no envelope came');
    };
    return { stream, begun, next, ended };
  }

  /** Opens a stream as soon as there is a place for it. */
  async function subscribeInTurn(bus: GivenBus, recipient: string): Promise<Reader> {
    for (;;) {
      const reader = subscribe(bus, { recipient });
      if (await Promise.race([reader.begun.then(() => true), reader.ended.then(() => false)])) return reader;
    }
  }

  async function sending(bus: GivenBus): Promise<(changes: Readonly<Record<string, unknown>>) => Promise<void>> {
    const client = bus.client();
    await client.send(greeting);
    return async (changes) => {
      assert.equal((await client.send(envelope(changes), bearerOf(bus))).text, 'ok');
    };
  }

  it('deliver what is recorded for the recipient from now on, in order, and nothing for others', async () => {
    const bus = await buses.start();
    const send = await sending(bus);
    await send({ payload: { n: 0 } });
    const market = subscribe(bus, { recipient: 'market' });
    const other = subscribe(bus, { recipient: 'other' });
    await Promise.all([market.begun, other.begun]);
    for (const n of [1, 2]) await send({ payload: { n } });
    await send({ recipient: 'other', payload: { n: 3 } });
    const [first, second] = [await market.next(), await market.next()];
    assert.deepEqual([first.envelope.payload, second.envelope.payload], [{ n: 1 }, { n: 2 }]);
    assert.ok(first.sequence < second.sequence);
    assert.deepEqual((await other.next()).envelope.payload, { n: 3 });
  });

  it('deliver everything after an entry, so that a reader that was away misses nothing', async () => {
    const bus = await buses.start();
    const send = await sending(bus);
    for (let n = 0; n < 30; n++) await send({ payload: { n } });
    const all = subscribe(bus, { recipient: 'market', after: 0 });
    const sequences: number[] = [];
    for (let n = 0; n < 30; n++) {
      const { sequence, envelope: sent } = await all.next();
      assert.deepEqual(sent.payload, { n });
      sequences.push(sequence);
    }
    const rest = subscribe(bus, { recipient: 'market', after: sequences[27] });
    assert.equal((await rest.next()).sequence, sequences[28]);
    assert.equal(await subscribe(bus, { recipient: 'market', after: sequences[29]! + 1 }).ended, 'OUT_OF_RANGE');
    alter(bus.home, `UPDATE events SET signature = hash WHERE seq = ${sequences[29]}`);
    const damaged = subscribe(bus, { recipient: 'market', after: sequences[27] });
    assert.equal((await damaged.next()).sequence, sequences[28]);
    assert.equal(await damaged.ended, 'UNAVAILABLE');
  });

  it('let others be served while a reader catches up', async () => {
    const bus = await buses.start();
    const document = { peer: 'x', envelope: { sender: 'a', recipient: 'market', ts: 1, payload: {} } };
    bus.home.with(({ writer }) =>
      writer.transact((tx) => Array.from({ length: 1_000 }, () => tx.append('@bus', { type: 'bus.received', document }))),
    );
    await (await sending(bus))({ recipient: 'other' });
    const { begun, stream } = subscribe(bus, { recipient: 'other', after: 0 });
    await begun;
    let turns = 0;
    const count = (): unknown => ++turns < 100 && setImmediate(count);
    count();
    await once(stream, 'data');
    assert.equal(turns, 100);
  });

  it('are Frames for a client that sends one', async () => {
    const bus = await buses.start();
    const send = await sending(bus);
    await send({});
    const framed = subscribe(bus, Buffer.from(wrapFrame(Buffer.from('{"recipient":"market","after":0}'))));
    assert.equal((await framed.next()).envelope.recipient, 'market');
    const [message] = await Promise.all([once(framed.stream, 'data') as Promise<[Buffer]>, send({})]);
    assert.equal(message[0][0], 0x0a);
  });

  it('need a token, also on loopback, and end when it is revoked', async () => {
    const bus = await buses.start();
    const wanted = { recipient: 'market' };
    assert.equal(await subscribe(bus, wanted, {}).ended, 'UNAUTHENTICATED');
    assert.equal(await subscribe(bus, wanted, { authorization: 'Bearer wrong' }).ended, 'UNAUTHENTICATED');
    const { token } = await createToken(bus.daemon.home, 'market', 'reviewer', 'operator');
    const reader = subscribe(bus, wanted, { authorization: `Bearer ${token}` });
    await reader.begun;
    await revokeToken(bus.daemon.home, 'market', 'operator');
    assert.equal(await reader.ended, 'UNAUTHENTICATED');
  });

  it('are refused where the request is none', async () => {
    const bus = await buses.start();
    for (const wrong of ['', '{', '{}', '[]', '{"recipient":""}', '{"recipient":"a","after":-1}', '{"recipient":"a","more":1}'])
      assert.equal(await subscribe(bus, Buffer.from(wrong)).ended, 'INVALID_ARGUMENT', wrong);
  });

  it('are at most sixteen, and a place is free again when a reader leaves', async () => {
    const bus = await buses.start();
    const readers = Array.from({ length: 16 }, () => subscribe(bus, { recipient: 'market' }));
    await Promise.all(readers.map(({ begun }) => begun));
    assert.equal(await subscribe(bus, { recipient: 'market' }).ended, 'RESOURCE_EXHAUSTED');
    readers[0]!.stream.cancel();
    const send = await sending(bus);
    const last = await subscribeInTurn(bus, 'market');
    await send({ payload: { n: 1 } });
    for (const reader of [...readers.slice(1), last]) assert.deepEqual((await reader.next()).envelope.payload, { n: 1 });
  });

  it('end for a reader that does not take what it was sent', async () => {
    const bus = await buses.start({}, { limits: { drain_ms_max: 300 } });
    const send = await sending(bus);
    const others = Array.from({ length: 15 }, () => subscribe(bus, { recipient: 'nobody' }));
    const reader = subscribe(bus, { recipient: 'market' });
    reader.stream.pause();
    await Promise.all([...others, reader].map(({ begun }) => begun));
    const text = 'x'.repeat(200_000);
    for (let n = 0; n < 40; n++) await send({ payload: { text } });
    await subscribeInTurn(bus, 'nobody');
    reader.stream.resume();
    assert.equal(await reader.ended, 'RESOURCE_EXHAUSTED');
  });

  it('are read no further while a reader takes nothing', async () => {
    const bus = await buses.start();
    const send = await sending(bus);
    const { begun, stream, next, ended } = subscribe(bus, { recipient: 'market' });
    stream.pause();
    await begun;
    // The client's library takes 16 by itself, as the server's would.
    for (let n = 0; n < 30; n++) await send({ payload: { text: 'x'.repeat(200_000) } });
    await sleep(500);
    alter(bus.home, 'UPDATE events SET signature = hash WHERE seq = (SELECT max(seq) FROM events)');
    stream.resume();
    for (let n = 0; n < 29; n++) await next();
    assert.equal(await ended, 'UNAVAILABLE');
  });

  it('end when the bus stops', async () => {
    const bus = await buses.start();
    const reader = subscribe(bus, { recipient: 'market' });
    await reader.begun;
    await bus.stop();
    assert.equal(await reader.ended, 'UNAVAILABLE');
  });
});
