import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from '../../../src/base/refusal.js';

/** Below the ports that systems give to outgoing connections and to servers without a port of their own: nobody takes one of these by chance. */
const [least, end] = [11_000, 32_768];

/** Returns a port of loopback that nobody uses, and that stays free while a server on it is started again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(least, end);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE') throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
