/**
 * Limits how many wrong tokens get a plain 401: one bucket for each address and one for all, each refilled within a minute. A
 * correct token always passes, so nobody can lock the operator out; a token has 256 random bits and cannot be guessed anyway.
 */
import { blockOf } from './address-block.js';
import type { Settings } from './settings.js';

const minute_ms = 60_000;

type Sizes = Pick<Settings, 'failed_logins_per_address_max' | 'failed_logins_max' | 'failed_login_addresses_max'>;

export class LoginThrottle {
  private readonly byAddress = new Map<string, Bucket>();
  private readonly all: Bucket;
  constructor(
    private readonly sizes: Sizes,
    /** The time in ms of a clock that never runs backwards. */
    private readonly now: () => number,
  ) {
    this.all = new Bucket(sizes.failed_logins_max, now());
  }

  /** Counts a failed login. Returns the seconds to wait before the next one, or 0 if it is still within the limit. */
  failed(address: string): number {
    const now = this.now();
    const own = this.bucketOf(blockOf(address), now);
    const wait_ms = Math.max(own.take(now), this.all.take(now));
    return Math.ceil(wait_ms / 1000);
  }

  /**
   * Returns the bucket of an address block. The map keeps its newest addresses; a forgotten one starts with a full bucket, but
   * the common bucket still limits it.
   */
  private bucketOf(block: string, now: number): Bucket {
    const known = this.byAddress.get(block);
    const bucket = known ?? new Bucket(this.sizes.failed_logins_per_address_max, now);
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
