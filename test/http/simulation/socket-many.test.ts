import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { connect as tcp } from 'node:net';
import { connect, endless, givenSocket, handshakeBytes, silent, until, upgraded } from './given-socket.js';

describe('progress socket: many clients, and the end', () => {
  it('opens no more sockets than the limit for thousands of handshakes, and still responds', async () => {
    const { port, progress } = await givenSocket(silent, { limits: { sockets_max: 20, close_ms_max: 200 } });
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, progress.count())), 1);
    const statuses: Record<string, number> = {};
    for (let round = 0; round < 10; round++) {
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
    deepStrictEqual(
      Object.keys(statuses).filter((status) => !['101', '503', ''].includes(status)),
      [],
    );
    ok((statuses['101'] ?? 0) >= 10 && (statuses['503'] ?? 0) > 0, JSON.stringify(statuses));
    ok(most <= 20, `${most} sockets`);
    await connect(port);
  });

  it('closes every socket with 1001 at a stop, and cuts off the ones that do not respond', async () => {
    const given = await givenSocket(endless().make, { limits: { close_ms_max: 150 } });
    const clients = await Promise.all([connect(given.port), connect(given.port)]);
    const deaf = await upgraded(given.port);
    deaf.pause();
    await given.stop();
    for (const { closed } of clients) deepStrictEqual(await closed, { code: 1001, reason: 'the server stops' });
    strictEqual(given.progress.count(), 0);
    deaf.destroy();
  });
});
