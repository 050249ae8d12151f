/** Addresses of NATS servers: `nats://host:port` in cleartext, on loopback only; `tls://host:port` anywhere. Neither holds credentials. */

/** Returns whether the host of a URL names only this machine. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

export interface NatsAddress {
  /** The address as it is shown and compared: scheme, host and port. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const port_default = 4_222;
const port_max = 65_535;
const pattern = /^(nats|tls):\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::([0-9]{1,5}))?$/;

/** Returns the address that a text names, or what is wrong with the text, without repeating it: it may hold a password. */
export function readNatsAddress(text: string): NatsAddress | string {
  if (!/^(?:nats|tls):\/\//.test(text)) return 'must be nats://host:port or tls://host:port';
  if (text.includes('@'))
    return 'must have no user or password; AGENT_NATS_CREDS names a credentials file, AGENT_NATS_TOKEN holds a token';
  const [, scheme, given = '', digits = String(port_default)] = pattern.exec(text) ?? [];
  if (scheme === undefined) return 'must be nats://host:port or tls://host:port, without a path';
  const [host, port] = [given.toLowerCase(), Number(digits)];
  if (port < 1 || port > port_max) return `must have a port from 1 to ${port_max}`;
  const tls = scheme === 'tls';
  if (!tls && !isLoopbackHost(host)) return 'must use tls:// unless its host is loopback';
  return { url: `${scheme}://${host}:${port}`, host: host.replace(/^\[|\]$/g, ''), port, tls };
}
