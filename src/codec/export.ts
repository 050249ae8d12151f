/** The export of a mission for a counterparty: a superset of the reference agent's format. Unknown members are refused only in this program's exports. */
import * as t from 'io-ts';
import { hash } from './scalars.js';
import { approval } from './approvals.js';
import { choice, list, mapOf, object, optional, required, text } from './kit.js';

/** 64 bytes in base64. */
const signature = text({ pattern: /^[A-Za-z0-9+/]{86}==$/ });

const receipt = object('Receipt', {
  body: required(mapOf(t.unknown)),
  canonical_body: optional(text()),
  canonical_result: optional(text()),
  hash: required(hash),
  signature: required(signature),
});

/** The entry that recorded the payment of the result. */
const settlement = object('Settlement', {
  body: required(mapOf(t.unknown)),
  canonical_body: required(text()),
  hash: required(hash),
  signature: required(signature),
  proof: required(text()),
});

export const exportCodec = object('Export', {
  /** What people signed; absent where nobody did. */
  approvals: optional(list(approval, 1, 100)),
  schema: required(choice(1)),
  public_key: required(hash),
  receipt: required(receipt),
  request: optional(t.unknown),
  proof: optional(text()),
  /** A signed note `agent-newest/1`: as of the proof's checkpoint, the entry is the newest of its mission. */
  newest: optional(text()),
  /** For a result that was paid. */
  settlement: optional(settlement),
});

export type ExportDocument = t.TypeOf<typeof exportCodec>;
