/**
 * Lets large bodies be decoded one after another, each at the earliest when the event loop has had as much time for everything else as
 * the one before took. Otherwise a client that sends one after another would have all of the loop's time.
 */
import type { Exchange } from './exchange.js';
import type { Settings } from './settings.js';

export class DecodeTurns {
  /** Resolves when the next body may be decoded. */
  private free: Promise<void> = Promise.resolve();

  constructor(private readonly bounds: Pick<Settings, 'large_body_bytes' | 'large_body_rest_ms_max'>) {}

  /** Resolves when the body may be decoded, which is at once for a small one; the turn ends with `exchange.onParsed`. */
  async take(exchange: Exchange, body: Buffer | null): Promise<void> {
    if (body === null || body.length <= this.bounds.large_body_bytes) return;
    const before = this.free;
    let end = (): void => undefined;
    this.free = new Promise((resolve) => (end = resolve));
    await before;
    const began = performance.now();
    exchange.onParsed = () => {
      exchange.onParsed = null;
      setTimeout(end, Math.min(this.bounds.large_body_rest_ms_max, performance.now() - began));
    };
  }
}
