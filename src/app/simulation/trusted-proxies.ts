/** API_TRUSTED_PROXIES: the proxies whose X-Forwarded-For says which client sent a request. */
import { BlockList, isIP } from 'node:net';
import { refusedSetting } from '../../base/setting.js';

/** Addresses and networks in API_TRUSTED_PROXIES. */
const trusted_proxies_max = 100;

const bits = { 4: 32, 6: 128 } as const;
const families = { 4: 'ipv4', 6: 'ipv6' } as const;

const versionOf = (address: string): 4 | 6 | null => {
  const version = isIP(address);
  return version === 4 || version === 6 ? version : null;
};

/** A set of addresses, in which an IPv4 address is the same when it is mapped into IPv6. */
export class TrustedProxies {
  private readonly list = new BlockList();

  /** @throws RefusalError `invalid` for a text that is neither an address nor a network such as 10.0.0.0/8 */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const [address = '', prefix, ...more] = text.split('/');
      const version = versionOf(address);
      const length = prefix === undefined ? null : /^(?:0|[1-9][0-9]{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
      if (version === null || more.length > 0 || (length !== null && !(length <= bits[version])))
        throw refusedSetting('API_TRUSTED_PROXIES', 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas');
      this.list.addSubnet(address, length ?? bits[version], families[version]);
    }
  }

  /**
   * Returns the address for which a request counts: that of the connection, or, where that is a trusted proxy, the last address of X-Forwarded-For
   * that is not one. What stands before it may be forged by the client and is not read. A trusted proxy that names nobody counts as the client itself.
   */
  clientOf(peer: string, forwarded: readonly string[]): string {
    const hops = forwarded.flatMap((value) => value.split(','));
    let client = peer;
    while (this.has(client)) {
      const next = addressOf(hops.pop()?.trim() ?? '');
      if (versionOf(next) === null) break;
      client = next;
    }
    return client;
  }

  has(address: string): boolean {
    const version = versionOf(address);
    return version !== null && this.list.check(address, families[version]);
  }
}

/** Returns the address of a hop, which some proxies write with a port. */
const addressOf = (hop: string): string => /^\[(.*)\](?::[0-9]+)?$/.exec(hop)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(hop)?.[1] ?? hop;

/** Returns the proxies that the variable's text names; null without any. @throws RefusalError `invalid` */
export function readTrustedProxies(text: string | undefined): TrustedProxies | null {
  const texts = (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (texts.length > trusted_proxies_max)
    throw refusedSetting('API_TRUSTED_PROXIES', `names more than ${trusted_proxies_max} proxies`);
  return texts.length === 0 ? null : new TrustedProxies(texts);
}
