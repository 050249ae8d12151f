/** Counts connections that were closed without a response, and logs their number, at most one line in a while. */
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Drop } from './connections.js';

export class Drops {
  private readonly counter: Counter;
  private unlogged: Record<Drop, number> = { replaced: 0, refused: 0 };
  private timer: NodeJS.Timeout | null = null;

  constructor(
    registry: Registry,
    name: string,
    private readonly logger: Logger,
    private readonly log_ms: number,
  ) {
    const help = 'Connections closed to make room for another one (replaced) or because no place was free (refused)';
    this.counter = new Counter({ name, help, labelNames: ['reason'], registers: [registry] });
    for (const reason of Object.keys(this.unlogged)) this.counter.inc({ reason }, 0);
  }

  add(reason: Drop): void {
    this.counter.inc({ reason });
    this.unlogged[reason]++;
    if (this.timer === null) this.log();
  }

  /** Logs what was counted since the last line, and counts until the next one. */
  private log(): void {
    const { replaced, refused } = this.unlogged;
    this.timer = null;
    if (replaced + refused === 0) return;
    this.logger.warn({ replaced, refused }, 'connections were closed because every place was taken');
    this.unlogged = { replaced: 0, refused: 0 };
    this.timer = setTimeout(() => this.log(), this.log_ms).unref();
  }

  /** Logs the rest. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.log();
    if (this.timer !== null) clearTimeout(this.timer);
  }
}
