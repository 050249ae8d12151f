/** A webhook on loopback that responds as the test says, and keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../listening.js';

export interface Webhook {
  /** The address, with a path and a query, which are its secret part. */
  readonly url: URL;
  readonly bodies: readonly string[];
  /** How many connections it was asked for, also those that were ended before a request was there. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export const secretPath = '/services/T000/B000/very-secret-path?key=very-secret-key';

export async function startWebhook(answer: Answer = (response) => response.end('ok')): Promise<Webhook> {
  const bodies: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      bodies.push(body);
      answer(response, request);
    });
  });
  server.on('connection', () => connections++);
  const { port, close } = await listening(server);
  return {
    url: new URL(secretPath, `http://127.0.0.1:${port}`),
    bodies,
    connections: () => connections,
    close,
  };
}
