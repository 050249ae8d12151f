/** A proxy that adds an access token: the tools of the protocol's authors send none to a server that names no authorization server. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenProxy {
  readonly url: string;
  readonly stop: () => void;
}

/** Passes everything on as it is, Host and Origin included. */
export async function tokenProxy(port: number, token: string): Promise<TokenProxy> {
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const body = Buffer.concat(parts);
      const { 'transfer-encoding': _, ...fields } = asked.headers;
      const length = asked.method === 'GET' ? {} : { 'content-length': String(body.length) };
      const headers = { ...fields, ...length, authorization: `Bearer ${token}`, connection: 'close' };
      const passed = request({ port, host: '127.0.0.1', method: asked.method, path: asked.url, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      answer.on('close', () => passed.destroy());
      passed.on('error', () => answer.destroy());
      passed.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/mcp`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
