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

/** What is left of the wrong tokens that are allowed, as of a moment; it refills within a minute. */
interface Bucket {
  readonly level: number;
  readonly at_ms: number;
}

/** The key of the bucket of all addresses. */
const all = 'all';

/**
 * Limits how many wrong tokens get a plain 401: one bucket for each address block and one for all. A correct token always passes, so nobody
 * can lock the operator out; a token has 256 random bits and cannot be guessed anyway.
 */
export class WrongTokens {
  /** The buckets used last; a forgotten one starts full again, but the common one still limits it. */
  private readonly buckets = new Map<string, Bucket>();
  constructor(
    private readonly sizes: Sizes = usual,
    /** The time in ms of a clock that never runs backwards. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a wrong token. Returns 0 within the limit; beyond it, the seconds until one is within it again. */
  failed(address: string): number {
    const own_ms = this.take(blockOf(address), this.sizes.failed_logins_per_address_max);
    return Math.ceil(Math.max(own_ms, this.take(all, this.sizes.failed_logins_max)) / 1_000);
  }

  /** Takes one of a bucket. Returns 0, or the milliseconds until the bucket has one again. */
  private take(key: string, size: number): number {
    const now_ms = this.now();
    const each_ms = minute_ms / size;
    const { level, at_ms } = this.buckets.get(key) ?? { level: size, at_ms: now_ms };
    const left = Math.min(size, level + (now_ms - at_ms) / each_ms);
    this.buckets.delete(key);
    this.buckets.set(key, { level: left < 1 ? left : left - 1, at_ms: now_ms });
    const [oldest] = this.buckets.keys();
    if (this.addresses > this.sizes.failed_login_addresses_max && oldest !== undefined) this.buckets.delete(oldest);
    return left < 1 ? (1 - left) * each_ms : 0;
  }

  get addresses(): number {
    return this.buckets.size - Number(this.buckets.has(all));
  }
}
