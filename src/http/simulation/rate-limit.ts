/**
 * Limits the requests of one address in a minute: koa-ratelimit's fixed windows over a bounded map, because the library never prunes its own.
 * Its header fields have other names and a Unix time, so it sends none.
 */
import rateLimit from 'koa-ratelimit';
import type { Context, Middleware } from '../core/context.js';
import { Denied } from '../core/problem.js';

const rate_window_ms = 60_000;
/** Addresses that are counted; beyond that the address whose window began first is dropped. */
export const rate_addresses_max = 10_000;

/** What koa-ratelimit holds for an address. */
interface Window {
  readonly remaining: number;
  /** The Unix time of its end, by a clock that never runs backwards. */
  readonly reset: number;
}

/** The windows by key, the one that began first before the others; beyond the limit it is dropped. */
export class Windows extends Map<string, Window> {
  override set(key: string, window: Window): this {
    this.delete(key);
    super.set(key, window);
    const [oldest] = this.keys();
    if (this.size > rate_addresses_max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

/**
 * @param max the number of requests in a window; 0 means no limit
 * @param idOf returns whom a request counts for; false for a request that is not counted
 */
export function rateLimits(
  max: number,
  idOf: (context: Context) => string | false,
  windows = new Windows(),
): readonly Middleware[] {
  if (max === 0) return [];
  /** Sets the RateLimit fields, of which RateLimit-Reset is the number of seconds until the window ends; returns that number. */
  const setFields = (context: Context): string => {
    const { remaining = 0, reset = 0 } = windows.get(`limit:${idOf(context)}`) ?? {};
    const left_s = reset - (performance.timeOrigin + performance.now()) / 1_000;
    const wait = String(Math.min(Math.max(Math.ceil(left_s), 1), rate_window_ms / 1_000));
    context.set({ 'RateLimit-Limit': `${max}`, 'RateLimit-Remaining': `${Math.max(0, remaining - 1)}`, 'RateLimit-Reset': wait });
    return wait;
  };
  const onLimited = (context: Context): never => {
    const headers = { 'Retry-After': setFields(context) };
    throw new Denied({ code: 'too_many_requests', detail: `more than ${max} requests in a minute`, headers });
  };
  const options = {
    driver: 'memory' as const,
    db: windows,
    max,
    duration: rate_window_ms,
    id: idOf,
    disableHeader: true,
    onLimited,
  };
  const fields: Middleware = (context, next) => {
    if (idOf(context) !== false) setFields(context);
    return next();
  };
  return [rateLimit(options), fields];
}
