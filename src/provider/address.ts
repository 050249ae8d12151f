/** The addresses to which a call goes. A name is resolved once; the connection goes to one of the addresses that were checked. */
import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { errorCode } from '../base/fault.js';
import { isLoopbackAddress } from '../base/loopback.js';
import { CallFailed } from './failure.js';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly Address[]>;

export const resolveAll: Resolve = (host) => resolveName(host, { all: true });

/**
 * Returns all addresses of the host. Without https, or without the permission to leave this machine, each must be loopback: a name that has
 * another address besides is refused as a whole.
 * @throws CallFailed
 */
export async function addressesOf(url: URL, allowRemote: boolean, resolve: Resolve): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await resolved(host, resolve) : [{ address: host, family }];
  const isLocal = addresses.every(({ address }) => isLoopbackAddress(address));
  if (isLocal) return addresses;
  if (url.protocol !== 'https:')
    throw new CallFailed('address', 'is not on this machine only: http is allowed when every address of the host is loopback');
  if (!allowRemote)
    throw new CallFailed('address', 'is not on this machine only: set allow_remote_llm to send missions to other machines');
  return addresses;
}

async function resolved(host: string, resolve: Resolve): Promise<readonly Address[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new CallFailed('address', `has a host name that cannot be resolved (${errorCode(error) || 'no response'})`);
  });
  if (addresses.length === 0) throw new CallFailed('address', 'has a host name without an address');
  return addresses;
}

/** Returns a lookup that gives these addresses without a request. */
export const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, answer) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
