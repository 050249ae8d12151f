/** What callers of the message bus may do that have shown no token, and what is kept for those that have. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import * as http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Metadata } from '@grpc/grpc-js';
import { BusAllowance, recentOpenEnvelopes, recordEnvelope } from '../../src/app/bus/records.js';
import {
  bus_entry_bytes,
  bus_open_bytes_per_day_max,
  bus_open_bytes_per_minute_max,
  bus_token_bytes_per_minute_max,
} from '../../src/base/limits.js';
import { targetOf } from '../../src/app/bus/outgoing.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { blobLength } from '../../src/journal/reader.js';
import { until } from '../support/app/given-daemon.js';
import { type TemporaryHome } from '../support/app/temporary-home.js';
import { bearerOf, beginCall, busForEach, type BusClient, envelope, type GivenBus, greeting } from '../support/bus/given-bus.js';
import { withStoppedClock } from '../support/app/fast-clock.js';
import { membersOf } from '../support/lists.js';

const minute_ms = 60_000;
const day_ms = 86_400_000;
const textOf = (bytes: number): string => {
  const rest = bytes - Buffer.byteLength(envelope({ payload: { text: '' } }));
  return envelope({ payload: { text: 'x'.repeat(rest) } });
};

/** Lets time pass on both clocks. */
const pass = ({ clock, elapsed }: TemporaryHome, ms: number): void => {
  clock.now += ms;
  elapsed.ms += ms;
};

/** Returns the bytes of the envelopes that were recorded. */
const recordedBytes = (bus: GivenBus): number =>
  bus
    .recorded()
    .map(({ envelope: inline, envelope_blob: blob }) =>
      inline === undefined ? (blobLength(bus.daemon.home.db, blob ?? '') ?? 0) : Buffer.byteLength(JSON.stringify(inline)),
    )
    .reduce((sum, bytes) => sum + bytes, 0);

const greeted = async (bus: GivenBus, fields = {}): Promise<BusClient> => {
  const client = bus.client({ options: { 'grpc.max_send_message_length': -1 } });
  assert.equal((await client.send(greeting, fields)).code, 'OK');
  return client;
};

describe('the bytes that the message bus records', () => {
  const buses = busForEach();

  it('are at most 256 KiB a minute from all callers without a token, and the refusal says when it opens again', async () => {
    const bus = await buses.start();
    const clients = await Promise.all(Array.from({ length: 10 }, () => greeted(bus)));
    const answers = await Promise.all(clients.flatMap((client) => Array.from({ length: 6 }, () => client.send(textOf(20_000)))));
    const refused = answers.filter(({ code }) => code !== 'OK');
    assert.ok(recordedBytes(bus) > 200_000 && recordedBytes(bus) <= bus_open_bytes_per_minute_max, String(recordedBytes(bus)));
    assert.equal(bus.recorded().length, answers.length - refused.length);
    const { code, text } = refused[0]!;
    assert.equal(code, 'RESOURCE_EXHAUSTED');
    assert.match(text, /^without a token the bus records at most 256 KiB a minute; it opens again at 2026-11-20T05:01:01Z\./);
    assert.match(text, /api\.token.*metadata.*authorization: Bearer/);
    pass(bus.home, 61_000);
    assert.equal((await clients[0]!.send(textOf(20_000))).code, 'OK');
  });

  it('may be more of callers with the token of the home, also while others get nothing', async () => {
    const bus = await buses.start();
    const [open, known] = [await greeted(bus), await greeted(bus)];
    assert.equal((await open.send(textOf(1_000_000))).code, 'OK');
    assert.equal((await open.send(envelope())).code, 'RESOURCE_EXHAUSTED');
    for (let n = 0; n < 15; n++) assert.equal((await known.send(textOf(1_000_000), bearerOf(bus))).code, 'OK');
    assert.deepEqual(membersOf(bus.recorded(), 'has_token'), [undefined, ...Array<boolean>(15).fill(true)]);
    const codes = [];
    for (let n = 0; n < 3; n++) codes.push(await known.send(textOf(1_000_000), bearerOf(bus)));
    const refused = codes.filter(({ code }) => code === 'RESOURCE_EXHAUSTED');
    assert.equal(refused.length, 2);
    assert.match(refused[0]!.text, /^the bus records at most 16 MiB a minute; it opens again at 2026-/);
    assert.ok(recordedBytes(bus) <= bus_token_bytes_per_minute_max + 1_000_000);
  });

  it('are those of the following minutes too for a large envelope', async () => {
    const bus = await buses.start();
    const client = await greeted(bus);
    assert.equal((await client.send(textOf(1_048_576))).code, 'OK');
    const refused = await client.send(envelope());
    assert.match(refused.text, /it opens again at 2026-11-20T05:0[45]:0\dZ/);
    for (let minute = 1; minute < 4; minute++) {
      pass(bus.home, minute_ms);
      assert.equal((await client.send(envelope())).code, 'RESOURCE_EXHAUSTED', `after ${minute} minutes`);
    }
    pass(bus.home, minute_ms + 2_000);
    assert.equal((await client.send(envelope())).code, 'OK');
  });

  it('are at most 8 MiB in 24 hours from callers without a token, also after a restart, and whatever the clock says', async () => {
    const bus = await buses.start();
    const client = await greeted(bus);
    const size = 1_000_000;
    let last = await client.send(textOf(size));
    for (; last.code === 'OK'; last = await client.send(textOf(size))) pass(bus.home, 5 * minute_ms);
    assert.equal(bus.recorded().length, 8);
    assert.match(last.text, /^without a token the bus records at most 8 MiB in 24 hours; it opens again at 2026-11-21T05:0\d:/);
    assert.equal((await client.send(envelope(), bearerOf(bus))).code, 'OK');
    const { home } = bus;
    await bus.stop();
    await bus.daemon.stop();
    // A day forward or back by the time of day alone changes nothing for a running daemon; back changes nothing for one that starts.
    home.clock.now -= 10 * day_ms;
    const again = await buses.start({}, {}, home);
    const after = await greeted(again);
    assert.equal((await after.send(textOf(size))).code, 'RESOURCE_EXHAUSTED');
    home.clock.now += 30 * day_ms;
    assert.equal((await after.send(textOf(size))).code, 'RESOURCE_EXHAUSTED');
    pass(home, day_ms + minute_ms);
    assert.equal((await after.send(textOf(size))).code, 'OK');
  });

  it('count for what was recorded while the clock was set back', async () => {
    const bus = await buses.start();
    const received = { envelope: JSON.parse(envelope()) as never, text: envelope(), token: null };
    const record = (hasToken: boolean): Promise<unknown> =>
      recordEnvelope(bus.daemon.home, { peer: 'a test', hasToken }, received);
    const { home } = bus;
    const counted = (): readonly number[] => recentOpenEnvelopes(bus.daemon.home).map(({ age_ms }) => age_ms);
    await record(true);
    home.clock.now -= 3 * day_ms;
    await record(false);
    pass(home, minute_ms);
    await record(false);
    home.clock.now += 3 * day_ms;
    assert.deepEqual(counted(), [minute_ms, minute_ms]);
    home.clock.now -= 5 * day_ms;
    assert.deepEqual(counted(), [0, 0]);
    const size = Buffer.byteLength(envelope()) + bus_entry_bytes;
    assert.ok(recentOpenEnvelopes(bus.daemon.home).every(({ bytes }) => bytes === size));
  });

  it('fill no more than the day, whatever the sizes of a flood', () => {
    const allowance = new BusAllowance();
    const taken: { readonly at: number; readonly bytes: number }[] = [];
    for (let at = 0; at < 2 * day_ms; at += 7_000) {
      const bytes = 1 + ((at * 7_919) % 1_048_576);
      if (allowance.take(false, bytes, at) === null) taken.push({ at, bytes });
    }
    const sumOf = (from: number, ms: number): number =>
      taken.filter(({ at }) => at >= from && at < from + ms).reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(taken.length > 10);
    for (const { at } of taken) {
      assert.ok(sumOf(at, day_ms) <= bus_open_bytes_per_day_max);
      assert.ok(sumOf(at, minute_ms) <= bus_open_bytes_per_minute_max + 1_048_576);
      assert.ok(sumOf(at, 10 * minute_ms) <= 11 * bus_open_bytes_per_minute_max + 1_048_576);
    }
  });

  it('are given back when an envelope cannot be recorded', () => {
    const allowance = new BusAllowance();
    assert.equal(allowance.take(false, 1_000_000, 0), null);
    allowance.giveBack(false, 1_000_000);
    assert.equal(allowance.take(false, bus_open_bytes_per_minute_max, 0), null);
    assert.notEqual(allowance.take(false, 1, 0), null);
    assert.equal(allowance.take(true, bus_token_bytes_per_minute_max, 0), null);
    assert.deepEqual(allowance.take(true, 1, 0), { limit: 'token_minute', wait_ms: 61_000 });
  });
});

describe('tokens on the message bus', () => {
  const buses = busForEach();

  it('are those of the home that may write; a wrong one is refused, and throttled over all connections', () =>
    withStoppedClock(async () => {
      const bus = await buses.start();
      const { home } = bus.daemon;
      const viewer = await createToken(home, 'vic', 'viewer', 'operator');
      const writer = await createToken(home, 'rob', 'reviewer', 'operator');
      const assistant = await createToken(home, 'claude', 'agent', 'operator', undefined, { mayExecute: true });
      const client = await greeted(bus);
      const send = (token: string) => client.send(envelope(), { authorization: `Bearer ${token}` });
      assert.deepEqual([(await send(writer.token)).code, (await send(viewer.token)).code], ['OK', 'OK']);
      assert.equal((await send(assistant.token)).code, 'OK');
      assert.deepEqual(membersOf(bus.recorded(), 'has_token'), [true, undefined, undefined]);
      await revokeToken(home, 'rob', 'operator');
      const refused = await send(writer.token);
      assert.equal(refused.code, 'UNAUTHENTICATED');
      assert.match(refused.text, /api\.token/);
      const codes = [];
      for (let n = 0; n < 12; n++) codes.push((await bus.client().send(greeting, { authorization: 'Bearer x' })).code);
      assert.deepEqual(codes.slice(0, 9), Array<string>(9).fill('UNAUTHENTICATED'));
      assert.deepEqual(codes.slice(9), Array<string>(3).fill('RESOURCE_EXHAUSTED'));
      assert.equal((await client.send(envelope(), bearerOf(bus))).code, 'OK', 'a correct token always passes');
    }));

  it('are sent to the bus of the daemon of their home alone', async () => {
    const bus = await buses.start();
    const { directory, world } = bus.home;
    const bearer = (address: string): string | null => targetOf({ address, tls: false }, world).bearer;
    const own = `127.0.0.1:${bus.port}`;
    assert.equal(`Bearer ${bearer(own)}`, bearerOf(bus)['authorization']);
    assert.equal(bearer(`localhost:${bus.port}`), bearer(own));
    for (const other of [`127.0.0.1:${bus.port - 1}`, `bus.example:${bus.port}`, `0.0.0.0:${bus.port}`, 'x'])
      assert.equal(bearer(other), null, other);
    // What a daemon leaves that was killed: another program may have its port.
    const file = join(directory, 'daemon.json');
    const daemon = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...daemon, pid: 4_194_304 + 1 }));
    assert.equal(bearer(own), null);
  });

  it('are recorded and printed nowhere, and refused elsewhere in an envelope', async () => {
    const bus = await buses.start();
    const client = await greeted(bus);
    const viewer = await createToken(bus.daemon.home, 'vic', 'viewer', 'operator');
    for (const fields of [bearerOf(bus), { authorization: `Bearer ${viewer.token}` }]) {
      const token = fields['authorization']!.slice('Bearer '.length);
      assert.equal((await client.send(envelope({ payload: { token } }), fields)).code, 'INVALID_ARGUMENT');
    }
    assert.equal(bus.recorded().length, 0);
    const { error } = console;
    const printed: unknown[] = [];
    console.error = (line) => void printed.push(line);
    Metadata.fromHttp2Headers({ authorization: `Bearer ${viewer.token}\u009b` });
    console.error = error;
    assert.deepEqual(printed, [], 'the library prints no field that it refuses');
  });
});

describe('places of the message bus', () => {
  const buses = busForEach();
  const ends: (() => void)[] = [];
  afterEach(() => ends.splice(0).forEach((end) => end()));
  const open = async ({ port }: GivenBus): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
    ends.push(() => socket.destroy());
    await once(socket.resume(), 'connect');
    return socket;
  };
  const session = ({ port }: GivenBus): http2.ClientHttp2Session => {
    const made = http2.connect(`http://127.0.0.1:${port}`).on('error', () => undefined);
    ends.push(() => made.destroy());
    return made;
  };
  const beginCalls = (to: http2.ClientHttp2Session, count: number): void => {
    for (let n = 0; n < count; n++)
      beginCall(to)
        .on('error', () => undefined)
        .resume();
  };

  it('are not taken from others by 17 connections whose messages do not come', async () => {
    const bus = await buses.start();
    for (let n = 0; n < 17; n++) beginCalls(session(bus), 16);
    await until(() => bus.figures.messages().incomplete >= 17 * 16 - 128, 'all calls have begun');
    for (const fields of [{}, bearerOf(bus)]) {
      const client = await greeted(bus, fields);
      assert.equal((await client.send(envelope(), fields)).code, 'OK');
    }
  });

  it('are left to callers with a token by those without', async () => {
    const bus = await buses.start({}, { limits: { receiving_max: 4 } });
    const known = session(bus);
    const held = [1, 2, 3].map(() => beginCall(known, bearerOf(bus)));
    held.forEach((stream) => stream.on('error', () => undefined).resume());
    await once(known, 'remoteSettings');
    beginCalls(session(bus), 16);
    await until(() => bus.figures.messages().incomplete === 15, 'calls without a token take the place of each other');
    const fourth = beginCall(known, bearerOf(bus));
    fourth.on('error', () => undefined).resume();
    await until(() => bus.figures.messages().incomplete === 16, 'a call with a token takes the place of one without');
    const refused = await bus.client().send(greeting);
    assert.deepEqual([refused.code, bus.figures.messages().too_many], ['RESOURCE_EXHAUSTED', 1]);
    assert.ok(held.every((stream) => !stream.closed));
  });

  it('are given to a further connection by the one without a token that has waited longest', async () => {
    const bus = await buses.start({}, { limits: { peers_max: 4 } });
    const known = await greeted(bus, bearerOf(bus));
    const [first, second] = [await open(bus), await open(bus)];
    await until(() => bus.figures.peers() === 3, 'three are connected');
    const third = await open(bus);
    await until(() => first.closed, 'the first ends');
    assert.deepEqual([second.closed, third.closed, bus.figures.dropped()], [false, false, 1]);
    assert.equal((await known.send(envelope(), bearerOf(bus))).code, 'OK');
  });

  it('are refused when callers with a token have all of them', async () => {
    const bus = await buses.start({}, { limits: { peers_max: 2 } });
    const [one, two] = [await greeted(bus, bearerOf(bus)), await greeted(bus, bearerOf(bus))];
    const socket = await open(bus);
    await until(() => socket.closed, 'the third connection ends');
    for (const client of [one, two]) assert.equal((await client.send(envelope(), bearerOf(bus))).code, 'OK');
    assert.deepEqual([bus.figures.peers(), bus.figures.dropped()], [2, 1]);
  });
});
