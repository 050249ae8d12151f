import { isIPv4, isIPv6 } from 'node:net';

/** Returns whether an address leads to this machine and nowhere else. */
export const isLoopbackAddress = (address: string): boolean =>
  (isIPv4(address) && address.startsWith('127.')) || (isIPv6(address) && address === '::1');

/** Returns whether the host of a URL is this machine: `localhost`, or a loopback address with or without brackets. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));
