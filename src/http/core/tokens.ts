/** Access tokens as requests carry them, and how many wrong ones get a plain response. */
import { valuesOf, type RawHeaders } from './head.js';
import { challenge, type Denial } from './problem.js';
import type { Settings } from './limits.js';

/** Permits more than the standard's characters, because a token that people choose may have any visible one. */
const bearerForm = /^Bearer +([!-~]+)$/i;

/**
 * Returns the token of the one Authorization field (RFC 6750, section 2.1), null if there is none, and an empty text for anything
 * else.
 */
export function bearerOf(raw: RawHeaders): string | null {
  const values = valuesOf(raw, 'authorization');
  const [value] = values;
  if (value === undefined) return null;
  return values.length > 1 ? '' : (bearerForm.exec(value)?.[1] ?? '');
}

export const tokenRequired: Denial = { code: 'unauthorized', detail: 'an access token is required', headers: challenge };
export const wrong_token = 'the access token is not valid';

/**
 * Returns the block of addresses that counts as one client wherever requests are counted: the /64 of an IPv6 address, which belongs to one
 * client, and an IPv4 address, mapped or not, unchanged.
 */
export function blockOf(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? front : [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const minute_ms = 60_000;

type Sizes = Pick<Settings, 'failed_logins_per_address_max' | 'failed_logins_max' | 'failed_login_addresses_max'>;

/**
 * Limits how many wrong tokens get a plain 401: one bucket for each address and one for all, each refilled within a minute. A
 * correct token always passes, so nobody can lock the operator out; a token has 256 random bits and cannot be guessed anyway.
 */
export class LoginThrottle {
  private readonly byAddress = new Map<string, Bucket>();
  private readonly all: Bucket;
  constructor(
    private readonly sizes: Sizes,
    /** The time in ms of a clock that never runs backwards. */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.all = new Bucket(sizes.failed_logins_max, this.now());
  }

  /** Counts a failed login. Returns what it is denied with: the given denial while it is within the limit, 429 beyond. */
  failed(address: string, denial: Denial): Denial {
    const now = this.now();
    const own = this.bucketOf(blockOf(address), now);
    const wait_s = Math.ceil(Math.max(own.take(now), this.all.take(now)) / 1000);
    if (wait_s === 0) return denial;
    return { code: 'too_many_requests', detail: 'too many wrong tokens', headers: { 'Retry-After': String(wait_s) } };
  }

  /**
   * Returns the bucket of an address block. The map keeps its newest addresses; a forgotten one starts with a full bucket, but
   * the common bucket still limits it.
   */
  private bucketOf(block: string, now: number): Bucket {
    const bucket = this.byAddress.get(block) ?? new Bucket(this.sizes.failed_logins_per_address_max, now);
    this.byAddress.delete(block);
    this.byAddress.set(block, bucket);
    const [oldest] = this.byAddress.keys();
    if (this.byAddress.size > this.sizes.failed_login_addresses_max && oldest !== undefined) this.byAddress.delete(oldest);
    return bucket;
  }

  get addresses(): number {
    return this.byAddress.size;
  }
}

class Bucket {
  private level: number;
  constructor(
    private readonly size: number,
    private at: number,
  ) {
    this.level = size;
  }

  /** Takes one. Returns 0, or the milliseconds until the bucket has one again. */
  take(now: number): number {
    const each_ms = minute_ms / this.size;
    this.level = Math.min(this.size, this.level + (now - this.at) / each_ms);
    this.at = now;
    if (this.level < 1) return (1 - this.level) * each_ms;
    this.level--;
    return 0;
  }
}
