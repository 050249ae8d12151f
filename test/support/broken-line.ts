/** A line to a server that can be cut and repaired: while it is cut, the address refuses connections as if the server had ended. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Line {
  readonly url: string;
  readonly cut: () => Promise<void>;
  readonly repair: () => Promise<void>;
}

/** @param url of the server behind it, on the loopback interface */
export async function lineTo(url: string): Promise<Line> {
  const { hostname: host, port } = new URL(url);
  const sockets = new Set<Socket>();
  const serve = async (at: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = connect(Number(port), host);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => (sockets.delete(socket), near.destroy(), far.destroy()));
      }
      near.pipe(far).pipe(near);
    });
    server.listen(at, host);
    await once(server, 'listening');
    return server;
  };
  let server = await serve(0);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${own}/`,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    repair: async () => {
      server = await serve(own);
    },
  };
}
