/** The open event streams: their number is bounded, in all and for each actor, and all of them end when the server stops. */
import type { Exchange } from './exchange.js';
import { Denied } from './problem.js';
import type { EventsReply } from './reply.js';
import type { Settings } from './settings.js';
import { Shares } from './shares.js';
import { event_stream_type, writeEvents } from './sse.js';
import { beginAnswer } from './answer.js';

export class EventStreams {
  private readonly open = new Set<AbortController>();
  private readonly shares = new Shares();
  private stopped = false;
  constructor(
    private readonly settings: Settings,
    /** Whether the client of a stream may still read it. */
    private readonly mayRead: (exchange: Exchange) => boolean,
    private readonly clientOf: (exchange: Exchange) => string,
  ) {}

  stop(): void {
    this.stopped = true;
    for (const controller of this.open) controller.abort();
  }

  /** @throws Denied 503 */
  private requirePlace(actor: string): void {
    const { event_streams_max, event_streams_per_actor_max } = this.settings;
    const isOwn = this.shares.of(actor) >= event_streams_per_actor_max;
    if (!isOwn && !this.stopped && this.open.size < event_streams_max) return;
    const detail = isOwn
      ? `${event_streams_per_actor_max} event streams with this token are open, and no more are allowed`
      : 'too many event streams are open';
    throw new Denied({ code: 'unavailable', detail, headers: { 'Retry-After': '10' } });
  }

  /** Resolves when the stream has ended. */
  async send(exchange: Exchange, reply: EventsReply): Promise<void> {
    const { signal, request, response } = exchange;
    const actor = this.clientOf(exchange);
    this.requirePlace(actor);
    const begin = (): void => beginAnswer(exchange, 200, { 'Content-Type': event_stream_type });
    if (request.method === 'HEAD') {
      begin();
      return void response.end();
    }
    const controller = new AbortController();
    const end = (): void => controller.abort();
    this.open.add(controller);
    const giveBack = this.shares.take(actor);
    signal.addEventListener('abort', end, { once: true });
    request.socket.once('end', end);
    if (signal.aborted || request.socket.readableEnded) end();
    try {
      const { event_heartbeat_ms: heartbeat_ms, event_drain_ms_max: drain_ms_max } = this.settings;
      const mayRead = (): boolean => this.mayRead(exchange);
      const options = { signal: controller.signal, heartbeat_ms, drain_ms_max, mayRead };
      const items = reply.open(controller.signal);
      begin();
      const how = await writeEvents(response, items, options);
      if (how === 'slow') request.socket.destroy();
      else response.end();
    } finally {
      controller.abort();
      this.open.delete(controller);
      giveBack();
      request.socket.off('end', end);
    }
  }
}
