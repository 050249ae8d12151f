/**
 * Passes bytes between connections to one address and connections to another: `relay.js FROM TO`, each a port of loopback or the path of
 * a Unix socket. A socket in the file system joins two network namespaces. Prints the address that it listens at.
 */
import { connect, createServer } from 'node:net';
import { pathToFileURL } from 'node:url';

/** A path, or a port as text. */
type Place = string;

const at = (place: Place): { readonly path: string } | { readonly host: string; readonly port: number } =>
  place.startsWith('/') ? { path: place } : { host: '127.0.0.1', port: Number(place) };

function relay(from: Place, to: Place): void {
  const server = createServer((near) => {
    const far = connect(at(to));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  server.listen(at(from), () => {
    const address = server.address();
    console.log(`listening at ${typeof address === 'string' ? address : String(address?.port)}`);
  });
}

const [, script = '', from, to] = process.argv;
if (import.meta.url === pathToFileURL(script).href && from !== undefined && to !== undefined) relay(from, to);
