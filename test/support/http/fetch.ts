/** Requests of tests to the servers that they start. */

/** What the global fetch sends with. */
type Dispatcher = { readonly constructor: new (options: object) => object };

/**
 * `fetch` on a connection of its own. The global `fetch` keeps connections and uses them again; a server closes one that has been idle for
 * some seconds, and where it does so while the next request is sent, that request fails with ECONNRESET. With `Connection: close` instead,
 * the `fetch` of Node 22 and 24 throws, out of reach, where a response is not read at once (assert(!this.paused) of undici).
 */
export function freshFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  // Node 26 sends with the second alone; Node 20 has only the first.
  const [newer, older] = [2, 1].map((n): unknown => Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${n}`)));
  const { constructor: Agent } = (newer ?? older) as Dispatcher;
  const dispatcher = new Agent({ keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });
  return fetch(url, { ...init, headers, dispatcher } as RequestInit);
}
