/** The journal as the operator's HTTP API returns it: entries by page, the signed checkpoint, proofs, the live feed. */
import * as t from 'io-ts';
import * as limits from '../base/limits.js';
import { hash, sequence, time, uuid, via } from './scalars.js';
import { configStatus } from './api-status.js';
import { roles } from './roles.js';
import { choice, either, integer, list, mapOf, nullable, number, object, optional, required, text } from './kit.js';

const size = integer(0, Number.MAX_SAFE_INTEGER);
const hashBase64 = text({ pattern: /^[A-Za-z0-9+/]{43}=$/ });

const journalEntry = object('JournalEntry', {
  sequence: required(sequence),
  time: required(time),
  stream: required(text()),
  /** Empty for a type that this program does not know. */
  type: required(text()),
  /** Who acted or decided; null for what the program did by itself. */
  actor: required(nullable(text())),
  /** The channel through which the actor caused it; null where none is recorded. */
  via: required(nullable(via)),
  /** The stage of a mission that noted something or failed; null for anything else. */
  stage: required(nullable(text())),
  /** A line that says what the entry contains. */
  summary: required(text()),
  hash: required(hash),
  previous: required(hash),
});
export type JournalEntry = t.TypeOf<typeof journalEntry>;

/** An entry with all that it says. */
export const entryDetailCodec = object('JournalEntryDetail', {
  ...journalEntry.fields,
  signature: required(text()),
  document: required(mapOf(t.unknown)),
});
export type EntryDetail = t.TypeOf<typeof entryDetailCodec>;

export const journalPageCodec = object('JournalPage', {
  /** The newest first. */
  items: required(list(journalEntry, 0, limits.page_items_max)),
  /** Sent as `before` it returns the page of older entries, also after a page that a filter left short; null at the end. */
  next_before: required(nullable(sequence)),
  /** The warning that config.json is not the signed configuration; only then. */
  config: optional(configStatus),
});
export type JournalPage = t.TypeOf<typeof journalPageCodec>;

export const checkpointCodec = object('Checkpoint', {
  origin: required(text()),
  size: required(size),
  /** Hexadecimal. */
  root: required(hash),
  /** C2SP tlog-checkpoint in a signed note. */
  note: required(text()),
  /** The key that verifies the note, as Go's note package reads it. */
  vkey: required(text()),
});
export type Checkpoint = t.TypeOf<typeof checkpointCodec>;

export const inclusionCodec = object('InclusionProof', {
  origin: required(text()),
  size: required(size),
  root: required(hash),
  sequence: required(sequence),
  index: required(size),
  from: required(choice(null)),
  /** C2SP tlog-proof. */
  proof: required(text()),
  hash: required(hash),
  signature: required(text()),
});
export type InclusionProof = t.TypeOf<typeof inclusionCodec>;

const consistencyCodec = object('ConsistencyProof', {
  origin: required(text()),
  size: required(size),
  root: required(hash),
  sequence: required(choice(null)),
  index: required(choice(null)),
  from: required(sequence),
  /** The request body that a witness takes (C2SP tlog-witness, add-checkpoint). */
  proof: required(text()),
  /** RFC 6962, section 2.1.2. */
  hashes: required(list(hashBase64, 0, 128)),
});
export type ConsistencyProof = t.TypeOf<typeof consistencyCodec>;

export const proofCodec = either(inclusionCodec, consistencyCodec);

/** The data of an event `entry`, whose id is the sequence. */
export const feedEntryCodec = object('FeedEntry', {
  sequence: required(sequence),
  time: required(time),
  stream: required(text()),
  type: required(text()),
  mission: required(nullable(uuid)),
});
export type FeedEntry = t.TypeOf<typeof feedEntryCodec>;

/** The data of an event `progress`, which has no id: it is not sent again. */
export const feedProgressCodec = object('FeedProgress', {
  mission: required(uuid),
  attempt: required(sequence),
  stage: required(choice(...roles)),
  done: required(number(0, 1)),
});
export type FeedProgress = t.TypeOf<typeof feedProgressCodec>;
