/** A test's server on loopback. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as Plain } from 'node:net';

interface Listening {
  readonly port: number;
  /** Ends its connections too. */
  readonly close: () => Promise<void>;
}

/** @param at the port to listen on; a free one when absent */
export async function listening(server: Plain & Partial<Pick<Server, 'closeAllConnections'>>, at = 0): Promise<Listening> {
  await once(server.listen(at, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections?.();
    await closed;
  };
  return { port, close };
}

export async function withServer<A>(listener: RequestListener, use: (url: string) => Promise<A>): Promise<A> {
  const { port, close } = await listening(createServer(listener));
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    await close();
  }
}
