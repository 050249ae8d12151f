/** A client of the operator's API with one connection. */
import { request, type Agent } from 'node:http';
import type { Server } from './http.js';

export interface Client {
  readonly server: Server;
  readonly token: string;
  readonly agent: Agent;
}

/** Posts over one connection that is kept open, with as little as possible of the client's own time in what is measured. */
export function post({ server, token, agent }: Client, at: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const asked = request(server.url + at, { method: 'POST', agent, headers }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(text);
        else reject(new Error(`${at}: ${text}`));
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
