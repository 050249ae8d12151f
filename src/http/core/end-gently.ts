/** Ends a connection so that a client that is still sending receives the response. */
import type { Socket } from 'node:net';
import type { Settings } from './settings.js';

/** Sends what was written and the end, then drops what still arrives until the client ends too, for a bounded time. */
export function endGently(
  socket: Socket,
  { linger_ms_max, linger_bytes_max, send_ms_max }: Pick<Settings, 'linger_ms_max' | 'linger_bytes_max' | 'send_ms_max'>,
): void {
  if (socket.destroyed) return;
  const destroy = (): void => void socket.destroy();
  const bothEnded = (): void => void (socket.writableFinished && socket.readableEnded && destroy());
  let timer = setTimeout(destroy, send_ms_max);
  let dropped = 0;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > linger_bytes_max) destroy();
  });
  socket.once('finish', () => {
    clearTimeout(timer);
    timer = setTimeout(destroy, linger_ms_max);
    bothEnded();
  });
  socket.once('end', bothEnded).once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}
