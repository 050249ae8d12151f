/**
 * How many requests of one address are answered in a minute: koa-ratelimit's fixed windows over a map of our own, because its map is
 * never pruned. Ours forgets windows that are over and holds a bounded number of addresses.
 */
import rateLimit from 'koa-ratelimit';
import type { Context } from 'koa';
import { Fault } from '../../base/fault.js';
import { rate_addresses_max, rate_window_ms } from '../../base/simulation-limits.js';
import { blockOf } from '../core/address-block.js';
import type { Denial } from '../core/problem.js';

/** What koa-ratelimit holds of an address, and when its window ends by a clock that never runs backwards. */
interface Window {
  readonly id: string;
  remaining: number;
  until_ms?: number;
}

export class Windows extends Map<string, Window> {
  constructor(
    private readonly addresses_max: number,
    private readonly window_ms: number,
    private readonly now: () => number,
  ) {
    super();
  }

  /** One that is over is not there any more: by this clock, and not by the library's. */
  override get(key: string): Window | undefined {
    const window = super.get(key);
    if (window?.until_ms === undefined || window.until_ms > this.now()) return window;
    this.delete(key);
    return undefined;
  }

  override has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** A new window stands last, so that the first ones are over first. */
  override set(key: string, window: Window): this {
    const now = this.now();
    window.until_ms = now + this.window_ms;
    this.delete(key);
    super.set(key, window);
    for (const [oldest, { until_ms = 0 }] of this) {
      if (until_ms > now && this.size <= this.addresses_max) break;
      this.delete(oldest);
    }
    return this;
  }
}

/**
 * What became of a request: the RateLimit fields for its answer, names and values in turn; or the answer itself, which has them, where
 * there are no more in this window.
 */
export interface Taken {
  readonly fields: readonly string[];
  readonly denial: Denial | null;
}

export interface RateLimiter {
  /** Counts a request of this address, unless it is refused. Sockets ask too. */
  readonly take: (address: string) => Taken;
  /** How many addresses are held. */
  readonly addresses: () => number;
}

interface Options {
  readonly addresses_max?: number;
  readonly window_ms?: number;
  readonly now?: () => number;
}

const unlimited: RateLimiter = { take: () => ({ fields: [], denial: null }), addresses: () => 0 };

/** The part of a context that koa-ratelimit works with: handshakes of sockets have no context. */
interface Asking {
  readonly state: { readonly address: string };
  readonly set: () => void;
}

/** @param max requests in a window; 0 is no limit */
export function rateLimiter(max: number, options: Options = {}): RateLimiter {
  if (max === 0) return unlimited;
  const { addresses_max = rate_addresses_max, window_ms = rate_window_ms, now = () => performance.now() } = options;
  const windows = new Windows(addresses_max, window_ms, now);
  const count = rateLimit({
    driver: 'memory',
    db: windows,
    max,
    // Longer than a window of the map, which alone says when one is over.
    duration: 2 * window_ms,
    id: (context) => String(context.state['address']),
  });
  const take = (address: string): Taken => {
    const block = blockOf(address) || 'unknown';
    const asking: Asking = { state: { address: block }, set: () => undefined };
    // It counts in the map before it waits for anything, and the map tells all that there is to know.
    void count(asking as unknown as Context, () => Promise.resolve());
    const window = windows.get(`limit:${block}`);
    if (window?.until_ms === undefined) throw new Fault('koa-ratelimit did not count');
    const wait_s = Math.max(1, Math.ceil((window.until_ms - now()) / 1_000));
    const fields = fieldsOf(max, Math.max(0, window.remaining - 1), wait_s);
    if (window.remaining > 0) return { fields: Object.entries(fields).flat(), denial: null };
    const detail = `more than ${max} requests in a minute`;
    return { fields: [], denial: { code: 'too_many_requests', detail, headers: { ...fields, 'Retry-After': String(wait_s) } } };
  };
  return { take, addresses: () => windows.size };
}

/** RateLimit-Reset counts the seconds until the window ends. */
const fieldsOf = (limit: number, remaining: number, reset_s: number): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset_s),
});
