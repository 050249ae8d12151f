/** A client of the operator's API over one connection, with as little as possible of its own time in what is measured. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Server } from './http.js';

const head_end = Buffer.from('\r\n\r\n');

export class Client {
  private received: Buffer = Buffer.alloc(0);
  private answered: ((answer: { readonly status: number; readonly text: string }) => void) | null = null;
  private failed: ((error: Error) => void) | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly headers: string,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (part) => this.read(part));
    socket.on('error', (error) => this.failed?.(error));
    socket.on('close', () => this.failed?.(new Error('the server closed the connection')));
  }

  static async of({ url }: Server, token: string): Promise<Client> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Client(socket, `Host: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`);
  }

  /** Returns the body of the answer. @throws Error for a status other than 200 and 201 */
  async post(at: string, body: string): Promise<string> {
    const { status, text } = await new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      [this.answered, this.failed] = [resolve, reject];
      this.socket.write(`POST ${at} HTTP/1.1\r\n${this.headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
    if (status !== 200 && status !== 201) throw new Error(`${at}: ${text}`);
    return text;
  }

  close(): void {
    this.failed = null;
    this.socket.destroy();
  }

  private read(part: Buffer): void {
    this.received = this.received.length === 0 ? part : Buffer.concat([this.received, part]);
    const end = this.received.indexOf(head_end);
    if (end === -1) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/\r\nContent-Length: *([0-9]+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) return this.failed?.(new Error('the answer has no length'));
    const bodyEnd = end + head_end.length + length;
    if (this.received.length < bodyEnd) return;
    const text = this.received.toString('utf8', end + head_end.length, bodyEnd);
    this.received = this.received.subarray(bodyEnd);
    this.answered?.({ status: Number(head.slice(9, 12)), text });
  }
}
