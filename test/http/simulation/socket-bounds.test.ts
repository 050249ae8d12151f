import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { connect as tcp, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reset, turns } from '../raw-client.js';
import { hang_ms } from '../../support/wait.js';
import { connect, endless, givenSocket, handshakeBytes, silent, upgraded } from './given-socket.js';
import { until } from '../../support/app/given-daemon.js';
import { atEffort } from '../../support/effort.js';
import { assertNone } from '../../support/lists.js';

/** Waits until no more lines are asked for: what the kernel takes for the other side is full. Takes turns of the loop and hardly time. */
async function stalled(lines: ReturnType<typeof endless>): Promise<number> {
  let asked = 0;
  for (; asked !== lines.asked() || asked === 0; await turns()) asked = lines.asked();
  return asked;
}

describe('progress socket: clients that read slowly or not at all', () => {
  it('are closed with 1013 when they never read, and no line is produced that nobody takes', async () => {
    const lines = endless();
    const { port, progress, log } = await givenSocket(lines.make, { limits: { drain_ms_max: 1_500, close_ms_max: 200 } });
    const socket = await upgraded(port, '/ws/progress?format=json');
    const asked = await stalled(lines);
    await until(() => progress.count() === 0);
    strictEqual(lines.asked(), asked);
    ok(lines.ended(), 'the lines go on');
    match(JSON.stringify(log()), /"msg":"closed"/);
    socket.destroy();
  });

  const areInOrder = (messages: readonly string[]): boolean =>
    messages.every((message, i) => message.endsWith(`"generation":${i + 1}}`));

  it('are sent every line when they read again in time', async () => {
    const lines = endless();
    const { port } = await givenSocket(lines.make, { limits: { drain_ms_max: hang_ms } });
    const { socket, messages } = await connect(port, '?format=json');
    socket.pause();
    const first = await stalled(lines);
    socket.resume();
    await until(() => messages.length > first);
    socket.terminate();
    ok(areInOrder(messages));
  });

  it('are sent every line and why they were closed when they read again too late', async () => {
    const lines = endless();
    const { port } = await givenSocket(lines.make, { limits: { drain_ms_max: 100, close_ms_max: hang_ms } });
    const { socket, messages, closed } = await connect(port, '?format=json');
    socket.pause();
    await until(lines.ended);
    socket.resume();
    deepStrictEqual(await closed, { code: 1013, reason: 'the client reads too slowly' });
    ok(areInOrder(messages));
    strictEqual(messages.length, lines.asked());
  });

  it('end their lines when they vanish', async () => {
    const lines = endless();
    const { port, progress } = await givenSocket(lines.make);
    for (const end of [reset, (socket: Socket) => socket.destroy()]) {
      const socket = await upgraded(port);
      await until(() => progress.count() === 1);
      end(socket);
      await until(() => progress.count() === 0 && lines.ended());
    }
    let isAborted = false;
    const quiet = await givenSocket(async function* (id, signal) {
      yield* silent(id, signal);
      isAborted = true;
    });
    const { socket } = await connect(quiet.port);
    socket.terminate();
    await until(() => isAborted && quiet.progress.count() === 0);
  });

  it('are gone when they respond to no ping, and stay when they do', async () => {
    const { port, progress } = await givenSocket(silent, { limits: { ping_ms: 1_000 } });
    const alive = await connect(port);
    const dead = await connect(port, '', { autoPong: false });
    strictEqual(progress.count(), 2);
    strictEqual((await dead.closed).code, 1006);
    await sleep(200);
    strictEqual(alive.socket.readyState, alive.socket.OPEN);
    strictEqual(progress.count(), 1);
  });
});

describe('progress socket: input of clients', () => {
  it('is not read', async () => {
    const { port } = await givenSocket(silent);
    const { socket, messages } = await connect(port);
    socket.send('hello');
    socket.send(Buffer.alloc(1_024));
    socket.ping('are you there');
    const [data] = (await once(socket, 'pong')) as [Buffer];
    strictEqual(data.toString(), 'are you there');
    deepStrictEqual(messages, []);
    strictEqual(socket.readyState, socket.OPEN);
  });

  it('ends the socket with 1009: a message over 1 KiB, a huge announced one, and one in endless parts', async () => {
    const { port } = await givenSocket(silent);
    const large = await connect(port);
    large.socket.send('x'.repeat(1_025));
    strictEqual((await large.closed).code, 1009);
    const parts = await connect(port);
    for (let n = 0; n < 20; n++) parts.socket.send('x'.repeat(100), { fin: false });
    strictEqual((await parts.closed).code, 1009);
    const huge = await upgraded(port);
    huge.read();
    // A masked binary frame that announces 2^62 bytes.
    huge.write(Buffer.from([0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]));
    const [frame] = (await once(huge, 'data')) as [Buffer];
    deepStrictEqual([...frame.subarray(0, 1), frame.readUInt16BE(2)], [0x88, 1009]);
    huge.destroy();
  });

  it('ends the socket with 1002 when it is not WebSocket, and the server continues', async () => {
    const { port, progress } = await givenSocket(silent);
    for (const bytes of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.alloc(64, 0xff),
      Buffer.from([0x89, 0xfe, 0, 200, 0, 0, 0, 0]),
    ]) {
      const socket = await upgraded(port);
      socket.read();
      socket.write(bytes);
      const [frame] = (await once(socket, 'data')) as [Buffer];
      deepStrictEqual([frame[0], frame.readUInt16BE(2)], [0x88, 1002]);
      socket.destroy();
    }
    await until(() => progress.count() === 0);
    await connect(port);
  });

  it('ends the socket with 1008 for a flood of messages, and for a flood of pings whose responses nobody reads', async () => {
    const { port, progress } = await givenSocket(silent, { limits: { messages_max: 100 } });
    const { socket, closed } = await connect(port);
    for (let n = 0; n < 100; n++) socket.send('hi');
    deepStrictEqual(await closed, { code: 1008, reason: 'too many messages' });
    const raw = await upgraded(port);
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const isGone = once(raw, 'close');
    raw.pause();
    for (let n = 0; n < 200 && raw.writable; n++) raw.write(ping);
    await sleep(20);
    raw.resume();
    await isGone;
    await until(() => progress.count() === 0);
  });
});

describe('progress socket: many clients, and the end', () => {
  it('opens no more sockets than the limit for hundreds of handshakes, and still responds', async () => {
    const { port, progress } = await givenSocket(silent, { limits: { sockets_max: 20, close_ms_max: 200 } });
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, progress.count())), 1);
    const statuses: Record<string, number> = {};
    const rounds = atEffort(3, 10);
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, async () => {
          const socket = tcp({ port, host: '127.0.0.1' });
          socket.on('error', () => undefined).write(handshakeBytes());
          const [first] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [
            Buffer | string,
          ];
          return { socket, status: first.toString().slice(9, 12) };
        }),
      );
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      for (const { socket } of answers) socket.destroy();
      await until(() => progress.count() === 0);
    }
    clearInterval(watching);
    assertNone(Object.keys(statuses), (status) => !['101', '503', ''].includes(status));
    ok((statuses['101'] ?? 0) >= rounds && (statuses['503'] ?? 0) > 0, JSON.stringify(statuses));
    ok(most <= 20, `${most} sockets`);
    await connect(port);
  });

  it('closes every socket with 1001 at a stop, and cuts off the ones that do not respond', async () => {
    const given = await givenSocket(endless().make, { limits: { close_ms_max: 1_000 } });
    const clients = await Promise.all([connect(given.port), connect(given.port)]);
    const deaf = await upgraded(given.port);
    deaf.pause();
    await given.stop();
    for (const { closed } of clients) deepStrictEqual(await closed, { code: 1001, reason: 'the server stops' });
    strictEqual(given.progress.count(), 0);
    deaf.destroy();
  });
});
