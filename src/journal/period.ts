/**
 * The lines of a period of the journal, as `journal export` writes them and `verify-journal-export` reads them (docs/journal-format.md, "A period").
 * The first line is a note that the log's key signs: without it the last lines could be taken away. Each other line is an entry with its proof; who did
 * what is repeated for readers, and follows from the entry.
 */
import * as t from 'io-ts';
import { toBase64 } from '../base/bytes.js';
import { canonicalJson, canonicalOrNull } from '../base/canonical-json.js';
import { isRefused } from '../base/refusal.js';
import { actorOf, viaOf } from '../codec/acted.js';
import { decodeEntry, type StoredEntry } from '../codec/entry.js';
import { hash, moment } from '../codec/scalars.js';
import { decode, integer, list, object, required, text } from '../codec/kit.js';
import type { Signer } from './keys.js';
import { openNote, signNote } from './note.js';

const use = 'agent-period/1';
const entries = integer(0, Number.MAX_SAFE_INTEGER);

const periodCodec = object('Period', {
  /** The period, [from, to) in UTC. */
  from: required(moment),
  to: required(moment),
  /** The first and the last entry; 0 where no entry is in the period. */
  first: required(entries),
  last: required(entries),
  /** The hash of the entry before the first; the verifier compares it with what the first says. */
  previous: required(hash),
  /** The signed checkpoint under which every entry is proven. */
  checkpoint: required(text()),
});
export type Period = t.TypeOf<typeof periodCodec>;

export const headLine = (signer: Signer, origin: string, period: Period): string =>
  canonicalJson({ note: signNote(signer, origin, `${use}\n${canonicalJson(period)}\n`), origin });

const headCodec = object('PeriodHead', { note: required(text()), origin: required(text()) });

/** Returns the period of a first line, if this key signed it; null otherwise. */
export function openHead(line: string, publicKey: Buffer): (Period & { readonly origin: string }) | null {
  const head = decode(headCodec, jsonOrNull(line));
  if (isRefused(head)) return null;
  const { note, origin } = head.right;
  const [first, said = '', end, ...more] = openNote(note, { name: origin, publicKey })?.split('\n') ?? [];
  if (first !== use || end !== '' || more.length > 0) return null;
  const period = decode(periodCodec, jsonOrNull(said));
  return isRefused(period) || canonicalOrNull({ note, origin }) !== line ? null : { ...period.right, origin };
}

const blobCodec = object('PeriodBlob', { hash: required(hash), salt: required(text()), bytes: required(text()) });
const lineCodec = t.intersection([
  t.type({ body: t.string, hash: t.string, signature: t.string, sequence: t.number, stream: t.string, proof: t.array(t.string) }),
  t.partial({ blobs: t.array(t.unknown) }),
]);

export type PeriodBlob = t.TypeOf<typeof blobCodec>;

export interface PeriodEntry {
  readonly row: StoredEntry;
  /** The path from the entry to the root, in base64. */
  readonly proof: readonly string[];
  readonly blobs?: readonly PeriodBlob[] | undefined;
}

/** Returns when what was done, and by whom; null for a row that is no entry. */
export function deedOf(row: StoredEntry) {
  const decoded = decodeEntry(row);
  if (isRefused(decoded)) return null;
  const { time, event, previous } = decoded.right;
  const document = event?.document ?? {};
  return { time, type: event?.type ?? '', actor: actorOf(document), via: viaOf(document), previous };
}

/** Returns the line of an entry; null for a row that is none. */
export function entryLine({ row, proof, blobs }: PeriodEntry): string | null {
  const deed = deedOf(row);
  if (deed === null) return null;
  const { seq: sequence, mission: stream, body, hash: ofBody, signature } = row;
  const { previous: _, ...done } = deed;
  const sources = blobs === undefined ? {} : { blobs };
  return canonicalOrNull({ sequence, stream, ...done, body, hash: ofBody, signature, proof, ...sources });
}

/** Returns the entry of a line, which is exactly the line of that entry; null for any other text. */
export function readEntryLine(line: string): PeriodEntry | null {
  const decoded = lineCodec.decode(jsonOrNull(line));
  if (decoded._tag === 'Left') return null;
  const { body, hash: ofBody, signature, sequence, stream, proof, blobs: given } = decoded.right;
  const blobs = given === undefined ? undefined : decode(list(blobCodec, 0, 1_000), given);
  if (blobs !== undefined && isRefused(blobs)) return null;
  const entry = { row: { seq: sequence, mission: stream, body, hash: ofBody, signature }, proof, blobs: blobs?.right };
  return entryLine(entry) === line ? entry : null;
}

function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export const proofTexts = (path: readonly Buffer[]): string[] => path.map(toBase64);
