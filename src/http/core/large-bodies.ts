/**
 * Large bodies on their way to clients. Equal ones are held once, however many clients they are sent to, and their size is
 * bounded, in all and for each client: clients that ask and do not read could otherwise take all memory.
 */
import { utf8 } from '../../base/bytes.js';
import { Denied } from './problem.js';
import type { Settings } from './settings.js';

interface Body {
  readonly bytes: Uint8Array;
  /** The text that the bytes were made from, by which equal ones are recognized. */
  readonly text: string | null;
  /** The number of responses that send it, by client. */
  readonly senders: Map<string, number>;
}

/** A body while it is sent. */
export interface HeldBody {
  readonly bytes: Uint8Array;
  /** Must be called once, when it is sent or given up. */
  readonly release: () => void;
}

export class LargeBodies {
  private readonly byBytes = new Map<Uint8Array, Body>();
  private readonly byLength = new Map<number, Set<Body>>();
  private readonly ofClient = new Map<string, number>();
  /** The size of all, each counted once. */
  bytes = 0;

  constructor(private readonly settings: Pick<Settings, 'sending_bytes_max' | 'sending_per_client_bytes_max'>) {}

  /** @throws Denied 503 if the client, or all clients together, have too much to read already */
  hold(client: string, body: string | Uint8Array): HeldBody {
    const known = this.find(body);
    if (known?.senders.has(client) !== true) this.requireRoom(client, Buffer.byteLength(body), known !== undefined);
    const held = known ?? this.add(body);
    const count = held.senders.get(client) ?? 0;
    if (count === 0) this.ofClient.set(client, (this.ofClient.get(client) ?? 0) + held.bytes.length);
    held.senders.set(client, count + 1);
    return { bytes: held.bytes, release: () => this.release(client, held) };
  }

  private find(body: string | Uint8Array): Body | undefined {
    if (typeof body !== 'string') return this.byBytes.get(body);
    for (const held of this.byLength.get(body.length) ?? []) if (held.text === body) return held;
    return undefined;
  }

  /** Checks the limits. One body always finds room, so that no response is too large for ever. */
  private requireRoom(client: string, length: number, isKnown: boolean): void {
    const { sending_bytes_max, sending_per_client_bytes_max } = this.settings;
    const own = this.ofClient.get(client) ?? 0;
    if (own > 0 && own + length > sending_per_client_bytes_max) throw tooMuch('this client has');
    if (!isKnown && this.bytes > 0 && this.bytes + length > sending_bytes_max) throw tooMuch('the clients have');
  }

  private add(body: string | Uint8Array): Body {
    const text = typeof body === 'string' ? body : null;
    const held: Body = { bytes: typeof body === 'string' ? utf8(body) : body, text, senders: new Map() };
    this.byBytes.set(held.bytes, held);
    if (text !== null) this.byLength.set(text.length, (this.byLength.get(text.length) ?? new Set()).add(held));
    this.bytes += held.bytes.length;
    return held;
  }

  private release(client: string, held: Body): void {
    const count = (held.senders.get(client) ?? 0) - 1;
    if (count > 0) return void held.senders.set(client, count);
    held.senders.delete(client);
    const own = (this.ofClient.get(client) ?? 0) - held.bytes.length;
    if (own > 0) this.ofClient.set(client, own);
    else this.ofClient.delete(client);
    if (held.senders.size === 0) this.drop(held);
  }

  private drop(held: Body): void {
    this.byBytes.delete(held.bytes);
    this.bytes -= held.bytes.length;
    if (held.text === null) return;
    const alike = this.byLength.get(held.text.length);
    alike?.delete(held);
    if (alike?.size === 0) this.byLength.delete(held.text.length);
  }
}

const tooMuch = (who: string): Denied =>
  new Denied({
    code: 'unavailable',
    detail: `${who} too many large responses to read; read them, then try again`,
    headers: { 'Retry-After': '15' },
  });
