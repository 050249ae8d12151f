/** The address of the client of a request that came through proxies. */
import { isIP } from 'node:net';
import type { TrustedProxies } from '../../app/simulation/trusted-proxies.js';
import { valuesOf, type RawHeaders } from '../core/head.js';

/**
 * Returns the address for which a request counts: that of the connection, or, where that is a trusted proxy, the last address of X-Forwarded-For that is
 * not one. What stands before it may be forged by the client and is not read. A trusted proxy that names nobody counts as the client itself.
 */
export function clientAddress(peer: string, raw: RawHeaders, trusted: TrustedProxies | null): string {
  let client = peer;
  const hops = valuesOf(raw, 'x-forwarded-for').flatMap((value) => value.split(','));
  while (trusted?.has(client) === true) {
    const next = addressOf(hops.pop()?.trim() ?? '');
    if (next === null) break;
    client = next;
  }
  return client;
}

/** Returns the IP address of a hop, which some proxies write with a port; null for anything else. */
function addressOf(hop: string): string | null {
  const address = /^\[(.*)\](?::[0-9]+)?$/.exec(hop)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(hop)?.[1] ?? hop;
  return isIP(address) === 0 ? null : address;
}
