/** Reading a text/event-stream (WHATWG HTML, section 9.2.6) from chunks of text as they arrive. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id that the stream named up to and with this event. */
  readonly id: string;
}

export class EventReader {
  private rest = '';

  constructor(private id = '') {}

  /** The events that this chunk completes. A line may end with CR LF, LF or CR, and a chunk may end between CR and LF. */
  push(chunk: string): ServerEvent[] {
    const blocks = (this.rest + chunk).split(/(?:\r\n|\r(?!\n)|\n){2}/);
    this.rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => this.read(block));
  }

  private read(block: string): ServerEvent[] {
    const data: string[] = [];
    let event = 'message';
    for (const line of block.split(/\r\n|\r|\n/)) {
      const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === 'data') data.push(value);
      if (field === 'event' && value !== '') event = value;
      if (field === 'id' && !value.includes('\0')) this.id = value;
    }
    return data.length === 0 ? [] : [{ event, data: data.join('\n'), id: this.id }];
  }
}
