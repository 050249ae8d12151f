/** A koa-websocket server that is passed sockets one by one. */
import { createRequire } from 'node:module';
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import type { WebSocket, WebSocketServer } from 'ws';
import { progress_protocol } from './socket-handshake.js';
import type { SocketSettings } from './socket-settings.js';

interface SocketContext {
  readonly websocket: WebSocket;
  readonly req: IncomingMessage;
}
interface WithSockets {
  readonly ws: {
    readonly listen: (options: Readonly<Record<string, unknown>>) => void;
    readonly use: (middleware: (context: SocketContext) => Promise<void>) => unknown;
    readonly server: WebSocketServer;
  };
}

// Its published types add a `websocket` to the context of every koa application, including those without one.
const websockify = createRequire(import.meta.url)('koa-websocket') as (app: Koa) => WithSockets;

/** Returns the server, without a port of its own; `begin` receives every socket and must not reject. */
export function listenNowhere(
  settings: Pick<SocketSettings, 'message_bytes_max' | 'close_ms_max'>,
  begin: (socket: WebSocket, request: IncomingMessage) => Promise<void>,
): WebSocketServer {
  const { ws } = websockify(new Koa());
  ws.use(({ websocket, req }) => begin(websocket, req));
  ws.listen({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: settings.message_bytes_max,
    closeTimeout: settings.close_ms_max,
    // A client that offers others gets none, and never its own token.
    handleProtocols: (offered: ReadonlySet<string>) => (offered.has(progress_protocol) ? progress_protocol : false),
  });
  // The handshake was checked before: an error here is one of the connection.
  ws.server.on('wsClientError', (_error, socket) => socket.destroy());
  return ws.server;
}
