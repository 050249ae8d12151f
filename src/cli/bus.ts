/** The lines of `bus tail`. */
import { printable, shorten } from '../base/text.js';
import type { RecordedEnvelope } from '../app/bus/tail.js';

const payload_chars = 60;

export function envelopeLine({ sequence, time, peer, envelope: sent }: RecordedEnvelope): string {
  const what =
    sent === null ? 'erased' : `${sent.sender} → ${sent.recipient}: ${shorten(JSON.stringify(sent.payload), payload_chars)}`;
  return printable(`${sequence}  ${time.slice(0, 19)}Z  ${peer}  ${what}`);
}
