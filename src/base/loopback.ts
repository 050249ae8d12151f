import { isIPv4, isIPv6 } from 'node:net';

/** Returns whether an address leads to this machine and nowhere else. */
export const isLoopbackAddress = (address: string): boolean =>
  (isIPv4(address) && address.startsWith('127.')) || (isIPv6(address) && address === '::1');
