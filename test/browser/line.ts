/** A server behind a line that breaks, for tests of what a page does meanwhile. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut and repaired: while it is cut, each connection to its address ends at once. */
interface Line {
  readonly url: string;
  readonly cut: () => void;
  readonly repair: () => void;
  readonly close: () => void;
}

/** @param url of the server behind it, on the loopback interface */
export async function lineTo(url: string): Promise<Line> {
  const { hostname: host, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isCut) return void near.destroy();
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => (sockets.delete(socket), near.destroy(), far.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    cut,
    repair: () => (isCut = false),
    close: () => (cut(), server.close()),
  };
}
