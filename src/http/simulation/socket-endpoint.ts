/** The progress socket's path for plain HTTP requests, and for the API description. */
import { endpoint } from '../core/endpoint.js';
import { problem } from '../core/openapi.js';
import { Denied } from '../core/problem.js';
import { progress_path, progressQuery } from './socket-handshake.js';

export const progressEndpoint = endpoint({
  method: 'GET',
  path: progress_path,
  auth: 'viewer',
  summary: 'A WebSocket that reports the progress of the runs in flight, or of one run',
  query: progressQuery,
  responses: {
    101: { description: 'the socket: one line per message, or with `format=json` one JSON object' },
    426: problem('the request does not ask for a WebSocket'),
  },
  handle: () => {
    throw new Denied({
      code: 'upgrade_required',
      detail: 'this path is a WebSocket of version 13',
      headers: { Upgrade: 'websocket', Connection: 'close, Upgrade' },
    });
  },
});
