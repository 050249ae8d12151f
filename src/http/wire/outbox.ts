/**
 * Answers that are given in one turn of the loop go out together at its end: a client that sleeps is woken once for all of them, and
 * waking it costs more than everything else that is done for a small answer.
 */
import type { Socket } from 'node:net';

const waiting = new Set<Socket>();

/** Holds back what is written to the socket until everything that has arrived by now is worked on. */
export function holdBack(socket: Socket): void {
  if (waiting.has(socket)) return;
  if (waiting.size === 0) setImmediate(sendAll);
  waiting.add(socket);
  socket.cork();
}

function sendAll(): void {
  const sockets = [...waiting];
  waiting.clear();
  for (const socket of sockets) socket.uncork();
}
