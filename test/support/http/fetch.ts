/** Requests of tests to the servers that they start. */

/**
 * `fetch` on a connection of its own. The global `fetch` keeps connections and uses them again; a server closes one that has been idle for
 * some seconds, and where it does so while the next request is sent, that request fails with ECONNRESET.
 */
export function freshFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Connection', 'close');
  return fetch(url, { ...init, headers });
}
