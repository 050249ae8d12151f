/** How many bytes of envelopes the message bus records. Callers that have shown no token may not fill the journal, whose entries stay. */
import { bus_open_bytes_per_day_max, bus_open_bytes_per_minute_max, bus_token_bytes_per_minute_max } from '../../base/limits.js';

const second_ms = 1_000;
const minute_ms = 60_000;
export const day_ms = 86_400_000;

/** Limits the bytes within any window of time. It keeps one sum for each step, and counts a step until it has left the window as a whole. */
class ByteWindow {
  /** The oldest step first. Steps may be in the future. */
  private readonly sums: { readonly until: number; bytes: number }[] = [];

  constructor(
    private readonly max: number,
    private readonly window_ms: number,
    private readonly step_ms: number,
  ) {}

  room(now: number): number {
    while ((this.sums[0]?.until ?? now + 1) <= now) this.sums.shift();
    return this.sums.reduce((room, { bytes }) => room - bytes, this.max);
  }

  /** Returns in how many milliseconds there is room; 0 for now. */
  wait_ms(bytes: number, now: number): number {
    let room = this.room(now);
    let until = now;
    for (const sum of this.sums) {
      if (room >= bytes) break;
      room += sum.bytes;
      ({ until } = sum);
    }
    return until - now;
  }

  add(bytes: number, at: number): void {
    const until = (Math.floor(at / this.step_ms) + 1) * this.step_ms + this.window_ms;
    const last = this.sums.at(-1);
    if (last !== undefined && last.until >= until) last.bytes += bytes;
    else this.sums.push({ until, bytes });
  }

  /** Takes bytes back that were added last. */
  giveBack(bytes: number): void {
    let left = bytes;
    for (const sum of this.sums.toReversed()) {
      const part = Math.min(left, sum.bytes);
      sum.bytes -= part;
      left -= part;
    }
  }
}

/** An envelope that is not recorded now. */
export interface Closed {
  /** The limit that it would exceed. */
  readonly limit: 'open_minute' | 'open_day' | 'token_minute';
  readonly wait_ms: number;
}

/** Times are milliseconds of a clock that nobody sets: setting the time of day opens nothing. */
export class BusAllowance {
  private readonly openMinute = new ByteWindow(bus_open_bytes_per_minute_max, minute_ms, second_ms);
  private readonly openDay = new ByteWindow(bus_open_bytes_per_day_max, day_ms, minute_ms);
  private readonly tokenMinute = new ByteWindow(bus_token_bytes_per_minute_max, minute_ms, second_ms);

  /** Takes the bytes of an envelope, or returns why they cannot be recorded now. */
  take(hasToken: boolean, bytes: number, now: number): Closed | null {
    const closed = hasToken ? this.closedToToken(bytes, now) : this.closedToOthers(bytes, now);
    if (closed.wait_ms > 0) return closed;
    if (hasToken) this.tokenMinute.add(bytes, now);
    else this.count(bytes, now);
    return null;
  }

  /** Counts an envelope of a caller without a token. */
  count(bytes: number, at: number): void {
    this.openDay.add(bytes, at);
    const first = Math.min(bytes, Math.max(0, this.openMinute.room(at)));
    this.openMinute.add(first, at);
    for (let left = bytes - first, minute = 1; left > 0; left -= bus_open_bytes_per_minute_max, minute++)
      this.openMinute.add(Math.min(left, bus_open_bytes_per_minute_max), at + minute * minute_ms);
  }

  /** Takes back what an envelope has taken that could not be recorded. */
  giveBack(hasToken: boolean, bytes: number): void {
    for (const each of hasToken ? [this.tokenMinute] : [this.openMinute, this.openDay]) each.giveBack(bytes);
  }

  private closedToToken(bytes: number, now: number): Closed {
    return { limit: 'token_minute', wait_ms: this.tokenMinute.wait_ms(bytes, now) };
  }

  private closedToOthers(bytes: number, now: number): Closed {
    // One that is larger than a minute's share needs some of this minute's, and uses that of the following minutes.
    const minute = this.openMinute.wait_ms(bytes > bus_open_bytes_per_minute_max ? 1 : bytes, now);
    const day = this.openDay.wait_ms(bytes, now);
    return day > minute ? { limit: 'open_day', wait_ms: day } : { limit: 'open_minute', wait_ms: minute };
  }
}
