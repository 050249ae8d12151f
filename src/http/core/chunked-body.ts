/** Finds the end of a chunked body that the parser accepts (RFC 9112, section 7.1). */

const cr = 0x0d;
const lf = 0x0a;

export class ChunkedBody {
  private state: 'size' | 'data' | 'trailer' = 'size';
  /** The number that the line of a chunk's size begins with. */
  private size = 0;
  private isSizeRead = false;
  /** The number of bytes of the chunk, and of the CRLF after it, that are still to come. */
  private left = 0;
  /** Whether the line of the trailer section has anything but a CR. */
  private isLineEmpty = true;
  isEnded = false;

  /** Takes bytes until the body ends; returns where the next ones are. */
  take(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && !this.isEnded) {
      if (this.state === 'data') at = this.data(bytes, at);
      else if (this.state === 'size') this.sizeByte(bytes[at++] ?? 0);
      else this.trailerByte(bytes[at++] ?? 0);
    }
    return at;
  }

  private data(bytes: Uint8Array, at: number): number {
    const taken = Math.min(this.left, bytes.length - at);
    this.left -= taken;
    if (this.left === 0) this.state = 'size';
    return at + taken;
  }

  private sizeByte(byte: number): void {
    if (byte === lf) {
      this.state = this.size === 0 ? 'trailer' : 'data';
      this.left = this.size + 2;
      this.size = 0;
      this.isSizeRead = false;
      return;
    }
    // An extension may follow the digits.
    const digit = this.isSizeRead ? Number.NaN : Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) this.isSizeRead = true;
    else this.size = this.size * 16 + digit;
  }

  private trailerByte(byte: number): void {
    if (byte === lf) {
      this.isEnded = this.isLineEmpty;
      this.isLineEmpty = true;
    } else if (byte !== cr) this.isLineEmpty = false;
  }
}
