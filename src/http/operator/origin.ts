/** Checks the Origin of a mutation, which names the page that sends it: another origin is refused (RFC 6454, section 7). */
import { valuesOf, type RawHeaders } from '../core/headers.js';

const defaultPort = { 'http:': ':80', 'https:': ':443' } as const;

/** Returns whether there is no Origin or it is the one that `host` is served under; https counts too, for a proxy in front. */
export function isOwnOrigin(raw: RawHeaders, host: string | null): boolean {
  const origins = valuesOf(raw, 'origin');
  const [origin] = origins;
  if (origin === undefined) return true;
  if (origins.length > 1 || host === null || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  const usual = defaultPort[url.protocol];
  const own = host.endsWith(usual) ? host.slice(0, -usual.length) : host;
  return url.origin === origin.toLowerCase() && url.host === own;
}
