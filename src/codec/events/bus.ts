/** Events of the stream `@bus`: envelopes that the message bus accepted. An envelope over 64 KiB is in a blob (`envelope_blob`). */
import { blobRef } from '../blobs.js';
import { envelope } from '../bus.js';
import { declare } from '../event-type.js';
import { flag, optional, required, text } from '../kit.js';
import { via } from '../scalars.js';

const received = declare('bus.received', {
  /** The connection, as `address:port`: `sender` is only what the envelope says. */
  peer: required(text({ min: 1, max: 100 })),
  /** True when the call showed a token; left out otherwise. */
  has_token: optional(flag),
  envelope: optional(envelope),
  envelope_blob: optional(blobRef),
  via: optional(via),
});

export const busEvents = [received] as const;
