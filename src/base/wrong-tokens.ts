/** How many wrong tokens get a plain response, over HTTP and on the message bus. */
import { failed_login_addresses_max, failed_logins_max, failed_logins_per_address_max } from './limits.js';

const usual = { failed_logins_per_address_max, failed_logins_max, failed_login_addresses_max };

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

type Sizes = Readonly<Record<keyof typeof usual, number>>;

/**
 * Limits how many wrong tokens get a plain 401: one bucket for each address and one for all, each refilled within a minute. A
 * correct token always passes, so nobody can lock the operator out; a token has 256 random bits and cannot be guessed anyway.
 */
export class WrongTokens {
  private readonly byAddress = new Map<string, Bucket>();
  private readonly all: Bucket;
  constructor(
    private readonly sizes: Sizes = usual,
    /** The time in ms of a clock that never runs backwards. */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.all = new Bucket(sizes.failed_logins_max, this.now());
  }

  /** Counts a wrong token. Returns 0 within the limit; beyond it, the seconds until one is within it again. */
  failed(address: string): number {
    const now = this.now();
    const own = this.bucketOf(blockOf(address), now);
    return Math.ceil(Math.max(own.take(now), this.all.take(now)) / 1000);
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
