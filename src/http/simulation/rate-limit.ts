/**
 * Limits the requests of one address in a minute: koa-ratelimit's fixed windows over this module's own map, because the library's
 * map is never pruned. This one forgets expired windows and holds a bounded number of addresses.
 */
import rateLimit from 'koa-ratelimit';
import type { Context } from 'koa';
import { Fault } from '../../base/fault.js';
import { rate_addresses_max, rate_window_ms } from '../../base/simulation-limits.js';
import { blockOf } from '../core/address-block.js';
import type { Denial } from '../core/problem.js';

/** The data that koa-ratelimit holds for an address, and the end of its window by a clock that never runs backwards. */
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

  /** Returns the window unless it has expired by this clock, not by the library's. */
  override get(key: string): Window | undefined {
    const window = super.get(key);
    if (window?.until_ms === undefined || window.until_ms > this.now()) return window;
    this.delete(key);
    return undefined;
  }

  override has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Sets a window. A new one is last, so that the first ones expire first. */
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
 * The outcome of a request: the RateLimit fields for its response, names and values in turn; or, if the window has no requests
 * left, the response itself, which includes them.
 */
export interface Taken {
  readonly fields: readonly string[];
  readonly denial: Denial | null;
}

export interface RateLimiter {
  /** Counts a request of this address, unless it is refused. Sockets are counted too. */
  readonly take: (address: string) => Taken;
  /** The number of addresses held. */
  readonly addresses: () => number;
}

interface Options {
  readonly addresses_max?: number;
  readonly window_ms?: number;
  readonly now?: () => number;
}

const unlimited: RateLimiter = { take: () => ({ fields: [], denial: null }), addresses: () => 0 };

/** The part of a context that koa-ratelimit uses: socket handshakes have no context. */
interface Asking {
  readonly state: { readonly address: string };
  readonly set: () => void;
}

/** @param max the number of requests in a window; 0 means no limit */
export function rateLimiter(max: number, options: Options = {}): RateLimiter {
  if (max === 0) return unlimited;
  const { addresses_max = rate_addresses_max, window_ms = rate_window_ms, now = () => performance.now() } = options;
  const windows = new Windows(addresses_max, window_ms, now);
  const count = rateLimit({
    driver: 'memory',
    db: windows,
    max,
    // Longer than a window of the map, which alone decides when one expires.
    duration: 2 * window_ms,
    id: (context) => String(context.state['address']),
  });
  const take = (address: string): Taken => {
    const block = blockOf(address) || 'unknown';
    const asking: Asking = { state: { address: block }, set: () => undefined };
    // The library counts in the map before its first wait, and the map has the complete result.
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

/** Returns the RateLimit fields. RateLimit-Reset is the number of seconds until the window ends. */
const fieldsOf = (limit: number, remaining: number, reset_s: number): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset_s),
});
