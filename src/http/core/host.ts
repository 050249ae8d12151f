/**
 * Checks the host that a request names. A page of a foreign site that has its name resolve to this machine (DNS rebinding) still
 * sends that name as Host, so foreign names are refused before anything else is checked.
 */
import type { Denial } from './problem.js';
import { valuesOf, type RawHeaders } from './headers.js';

export interface Addressed {
  /** The target in origin form: path and query. */
  readonly target: string;
  /** Host and port as the client wrote them, in lowercase; null in HTTP/1.0 without Host. */
  readonly host: string | null;
  readonly denial: Denial | null;
}

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/;
const loopbackForm = /^(?:localhost|127(?:\.(?:0|[1-9][0-9]{0,2})){3}|\[::1\])$/;

/** Reads target and Host (RFC 9112, sections 3.2 and 3.2.2: in absolute form the authority counts, and Host must be the same). */
export function readAddress(version: string, url: string, raw: RawHeaders, allowed: readonly string[] | 'any'): Addressed {
  const hosts = valuesOf(raw, 'host');
  const absolute = absoluteForm.exec(url);
  const host = hosts[0]?.toLowerCase() ?? null;
  const target = absolute === null ? url : originForm(absolute[2] ?? '');
  const read = (denial: Denial | null): Addressed => ({ target, host, denial });
  const malformed = (detail: string): Addressed => read({ code: 'malformed', detail });
  if (hosts.length > 1) return malformed('more than one Host');
  if (host === null && version === '1.1') return malformed('Host is missing');
  if (absolute !== null && absolute[1]?.toLowerCase() !== host) return malformed('the target and Host name different hosts');
  if (host !== null && allowed !== 'any' && !isAllowed(host, allowed)) return read(misdirected);
  if (!target.startsWith('/') && target !== '*') return malformed('the target is not a path');
  return read(null);
}

const misdirected: Denial = {
  code: 'misdirected',
  detail: 'this server does not serve that host; AGENT_ALLOWED_HOSTS names the hosts that it serves',
};

const originForm = (rest: string): string => (rest.startsWith('/') ? rest : `/${rest}`);

/** The last host that was allowed: most requests of a server name the same one. */
let known: { readonly host: string; readonly allowed: readonly string[] } | null = null;

/** Returns whether the host is a loopback name or one of the given names: with a port for that port only, without one for any. */
export function isAllowed(host: string, allowed: readonly string[]): boolean {
  if (known?.host === host && known.allowed === allowed) return true;
  const is = judge(host, allowed);
  if (is) known = { host, allowed };
  return is;
}

function judge(host: string, allowed: readonly string[]): boolean {
  const form = hostForm.exec(host);
  const name = form?.[1];
  if (name === undefined || Number(form?.[2] ?? 0) > 65_535) return false;
  return isLoopback(name) || allowed.some((entry) => entry.toLowerCase() === host || entry.toLowerCase() === name);
}

const isLoopback = (name: string): boolean =>
  loopbackForm.test(name) && name.split('.').every((part) => !/^[0-9]+$/.test(part) || Number(part) <= 255);
