/** Reading a text/event-stream (WHATWG HTML, section 9.2.6) from chunks of text as they arrive. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id that the stream named up to and with this event. */
  readonly id: string;
}

export class EventReader {
  private rest = '';
  private id: string;
  private event = '';
  private data: string[] = [];
  private afterReturn = false;

  constructor(lastEventId = '') {
    this.id = lastEventId;
  }

  /** The events that this chunk completes. */
  push(chunk: string): ServerEvent[] {
    const out: ServerEvent[] = [];
    // A line may end with CR LF, LF or CR, and a chunk may end between CR and LF.
    const text = this.rest + (this.afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk);
    if (chunk !== '') this.afterReturn = chunk.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.line(line);
      if (event !== null) out.push(event);
    }
    return out;
  }

  private line(line: string): ServerEvent | null {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.data.push(value);
    if (field === 'event') this.event = value;
    if (field === 'id' && !value.includes('\0')) this.id = value;
    return null;
  }

  private dispatch(): ServerEvent | null {
    const event = { event: this.event === '' ? 'message' : this.event, data: this.data.join('\n'), id: this.id };
    const empty = this.data.length === 0;
    this.event = '';
    this.data = [];
    return empty ? null : event;
  }
}
