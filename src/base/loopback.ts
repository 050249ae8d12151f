/** Names and addresses of this machine only. */
import { lookup, type LookupAddress } from 'node:dns';
import { isIPv4, isIPv6, type LookupFunction } from 'node:net';

/** Returns whether an address leads to this machine and nowhere else. */
export const isLoopbackAddress = (address: string): boolean =>
  (isIPv4(address) && address.startsWith('127.')) || (isIPv6(address) && address === '::1');

/** Returns whether the host of a URL is this machine: `localhost`, or a loopback address with or without brackets. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));

/** Looks a name up, and fails unless all of its addresses are this machine: a resolver may say otherwise of `localhost`. */
export const lookupLoopback: LookupFunction = (host, options, answer) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) return answer(error ?? new Error(`${host} has no address`), '', 0);
    if (!addresses.every(({ address }) => isLoopbackAddress(address)))
      return answer(new Error(`${host} is not this machine, and http is allowed only on this machine`), '', 0);
    if (options.all === true) return answer(null, addresses);
    answer(null, first.address, first.family);
  });
};
