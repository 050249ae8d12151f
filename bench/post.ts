/**
 * A client of the operator's API, with as little as possible of its own time in what is measured. A mutation ends its connection, so each has
 * a connection of its own.
 */
import { connect } from 'node:net';
import type { Server } from './http.js';

const head_end = Buffer.from('\r\n\r\n');

export class Client {
  private readonly at: URL;

  constructor(
    { url }: Server,
    private readonly token: string,
  ) {
    this.at = new URL(url);
  }

  /** Returns the body of the answer. @throws Error for a status other than 200 and 201 */
  post(path: string, body: string): Promise<string> {
    const { hostname, port, host } = this.at;
    const fields = `Host: ${host}\r\nAuthorization: Bearer ${this.token}\r\nContent-Type: application/json\r\n`;
    return new Promise((resolve, reject) => {
      const received: Buffer[] = [];
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () =>
        socket.write(`POST ${path} HTTP/1.1\r\n${fields}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
      );
      socket.on('data', (part) => received.push(part));
      socket.on('error', reject);
      socket.on('end', () => {
        socket.end();
        const answer = Buffer.concat(received);
        const text = answer.toString('utf8', answer.indexOf(head_end) + head_end.length);
        const status = answer.toString('latin1', 9, 12);
        if (status === '200' || status === '201') resolve(text);
        else reject(new Error(`${path}: ${status} ${text}`));
      });
    });
  }
}
