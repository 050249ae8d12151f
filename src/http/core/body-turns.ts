/**
 * Lets a client have few large bodies read and decoded at once, because decoding one holds the thread. The others wait unread, so
 * that the network holds them, and are bounded in number and time.
 */
import type { Exchange } from './exchange.js';
import { Denied, type Denial } from './problem.js';
import type { Settings } from './settings.js';

type Bounds = Pick<Settings, 'large_body_bytes' | 'large_bodies_max' | 'large_bodies_waiting_max' | 'large_body_wait_ms_max'>;

/** The large bodies of one client. */
interface Queue {
  active: number;
  readonly waiting: Set<() => void>;
}

export class BodyTurns {
  private readonly byClient = new Map<string, Queue>();

  constructor(private readonly bounds: Bounds) {}

  /**
   * Resolves when the body may be read, which is at once for a small one; the turn ends with `exchange.onDecoded`. A body without a
   * declared length counts as large. @throws Denied 503 if too many wait, or for too long
   */
  async take(exchange: Exchange, client: string): Promise<void> {
    const { length } = exchange.head;
    if (length !== null && length <= this.bounds.large_body_bytes) return;
    const queue = this.byClient.get(client) ?? { active: 0, waiting: new Set() };
    this.byClient.set(client, queue);
    if (queue.active >= this.bounds.large_bodies_max) await this.wait(queue, exchange.signal);
    else queue.active++;
    exchange.onDecoded = () => {
      exchange.onDecoded = null;
      this.pass(client, queue);
    };
  }

  /** Passes the turn to the one that waits for the longest time, or ends it. */
  private pass(client: string, queue: Queue): void {
    const [next] = queue.waiting;
    if (next !== undefined) return next();
    queue.active--;
    if (queue.active === 0) this.byClient.delete(client);
  }

  private wait({ waiting }: Queue, signal: AbortSignal): Promise<void> {
    const { large_bodies_waiting_max, large_body_wait_ms_max } = this.bounds;
    if (waiting.size >= large_bodies_waiting_max) throw new Denied(tooMany);
    return new Promise((resolve, reject) => {
      const settle = (how: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        waiting.delete(next);
        how();
      };
      const next = (): void => settle(resolve);
      const leave = (): void => settle(() => reject(new Denied(tooMany)));
      const timer = setTimeout(leave, large_body_wait_ms_max);
      waiting.add(next);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
    });
  }
}

const tooMany: Denial = {
  code: 'unavailable',
  detail: 'too many large request bodies of this client are being read; send them one after another',
  headers: { 'Retry-After': '5' },
  close: true,
};
