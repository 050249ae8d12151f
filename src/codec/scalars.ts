/** The scalars that occur in many shapes: hashes, times, identifiers, counts. */
import { actor_chars_max } from '../base/limits.js';
import { timePattern } from '../base/time.js';
import { choice, integer, optional, required, text } from './kit.js';

export const hashPattern = /^[0-9a-f]{64}$/;
/** SHA-256 in 64 lower-case hexadecimal digits. A hash that names a row of the `blob` table is a `blobRef` (blobs.ts) instead. */
export const hash = text({ pattern: hashPattern });
/** RFC 3339 in UTC with microseconds. */
export const time = text({ pattern: timePattern });
export const momentForm = 'a date (2026-01-31) or a time in UTC (2026-01-31T09:00:00Z)';
/** A date, or a time in UTC, that begins or ends a period; a date without a time is its midnight in UTC. */
export const moment = text({
  pattern:
    /^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?Z)?$/,
  form: momentForm,
});
/** A UUID in lower case (RFC 9562). */
export const uuid = text({
  pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  form: 'a UUID in lower case',
});
/** RFC 9562, section 4: a UUID is written in lower case, and read in any. The nil UUID is what a program sends that made none. */
export const uuidInAnyCase = text({
  pattern: /^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/,
  form: 'a UUID, and not the nil one',
});
/** A journal's incarnation: 128 random bits, chosen at init, and again at a restore and an accepted rollback. */
export const incarnation = text({ pattern: /^[0-9a-f]{32}$/ });
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
export const idForm = '1 to 64 letters (A to Z, a to z), digits, - or _';
/** An id that a mission's request gives to an item, a job, a machine or a source. */
export const id = text({ pattern: idPattern, form: idForm });
/** The name of the key that signs a journal. */
export const identity = text({ pattern: /^urn:agialpha:ed25519:[0-9a-f]{64}$/ });
export const actor = text({ min: 1, max: actor_chars_max });
/**
 * The channel through which an actor caused an event: the command line; the operator's HTTP API with a token or with a session, as the console
 * uses it; the simulation's API; the message bus; MCP.
 */
export const via = choice('cli', 'token', 'session', 'api', 'bus', 'mcp');
export type Via = typeof via._A;
/** Who caused an event. What the program did by itself names no channel. */
export const causedBy = { actor: required(actor), via: optional(via) };
export const count = integer(0, Number.MAX_SAFE_INTEGER);
/** The sequence of an entry in the journal, from 1. */
export const sequence = integer(1, Number.MAX_SAFE_INTEGER);
