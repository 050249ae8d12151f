/** The witness files of a home: compares one with the journal and keeps them at the newest checkpoint. */
import { errorCode, isRefused, type Refusal } from '../../base/refusal.js';
import { witnessDirectory, witnessFile } from '../../home/paths.js';
import { readWitness, type WitnessRead, writeWitness } from '../../home/witness-file.js';
import { contradiction } from '../../journal/against.js';
import type { Signer } from '../../journal/keys.js';
import { leftOrigins } from '../../journal/lineage.js';
import { openCheckpoint, readCheckpoint } from '../../journal/note.js';
import { type Head, latestNote, type Position, readHead } from '../../journal/reader.js';
import type { JournalWriter } from '../../journal/writer.js';
import type { Db } from '../../store/database.js';
import type { WitnessFault, World } from './home.js';
import * as path from 'node:path';
import { realpathSync } from 'node:fs';
import { parseJson } from '../../base/json.js';
import { formatTime } from '../../base/time.js';
import { decode, nullable, object, optional, required, text } from '../../codec/kit.js';
import { count, time } from '../../codec/scalars.js';
import { makeDirectories, replaceFile } from '../../home/files.js';
import { utf8 } from '../../base/bytes.js';

/** Returns how the witness contradicts the journal, or null. */
export function witnessFault(db: Db, head: Head, { publicKey }: Signer, witness: WitnessRead): Refusal | null {
  // An unreadable witness proves nothing; doctor warns about it.
  const checkpoint = witness.status === 'read' ? openCheckpoint(witness.note, publicKey) : null;
  return checkpoint === null ? null : contradiction(db, head, publicKey, checkpoint);
}

/**
 * Returns the witness files that follow a journal: that of its own origin and those of the homes that it replaces. A copy of one of
 * these is refused when it is put back, because its witness file then holds a checkpoint that it does not extend.
 */
export function witnessFiles(db: Db, { publicKey }: Signer, { env }: Pick<World, 'env'>, position: Position): string[] {
  const origins = [position.origin, ...leftOrigins(db, publicKey, position).replaced];
  return origins.map((origin) => witnessFile(witnessDirectory(env), origin));
}

/** Returns whether a file does not hold this checkpoint. */
export function isBehind(file: string, note: string | undefined): boolean {
  const witness = readWitness(file);
  return witness.status !== 'read' || witness.note !== note;
}

const writes_max = 10;

/**
 * Writes the newest checkpoint to a witness file; returns why that failed, or null. It never writes an uncommitted checkpoint, nor
 * one older than the file's, nor over one that contradicts the journal. The newest is read again after the rename, which may have replaced
 * another process's newer one.
 * @param isOwn whether the file is that of the journal's own origin; that of a home it replaces is written in any case
 */
export function bringWitnessUp(db: Db, signer: Signer, file: string, isOwn: boolean): WitnessFault | null {
  let written: string | null = null;
  for (let i = 0; i < writes_max; i++) {
    const note: string | null = db.inTransaction ? null : (latestNote(db)?.note ?? null);
    if (note === null || note === written) return null;
    const own = readCheckpoint(note);
    let contradicted: Refusal | null = null;
    const fault = writeWitness(file, note, (standing) => {
      const other = openCheckpoint(standing, signer.publicKey);
      // The head is read after the file, so that the journal is never behind an honest witness.
      if (isOwn) contradicted = witnessFault(db, readHead(db), signer, { status: 'read', note: standing });
      return contradicted !== null || (other !== null && own !== null && other.origin === own.origin && other.size > own.size);
    });
    if ((contradicted ?? fault) !== null) return contradicted ?? fault;
    written = note;
  }
  return null;
}

/** Returns a function that lists the witness files; they change only with the origin. */
export function witnessFilesOf(db: Db, signer: Signer, world: World, writer: JournalWriter): () => readonly string[] {
  let known: { readonly origin: string; readonly files: readonly string[] } | null = null;
  return () => {
    if (known?.origin !== writer.origin) known = { origin: writer.origin, files: witnessFiles(db, signer, world, writer.at) };
    return known.files;
  };
}

// What is remembered of verifications, in a file beside the witness file: when the whole journal passed last, and the damage that was found
// since. While damage is remembered, commands refuse what they refuse on a damaged home; a verification that passes forgets it. The file is no
// proof of anything, and is not relied on: what a command reads is proven anew (src/state).

/** `doctor` warns when the journal was not verified as a whole for so long. */
export const verification_age_ms_max = 604_800_000;

const fileCodec = object('Verified', {
  /** The real path of the home: a copy of it has the same origin. */
  home: required(text()),
  /** When the whole journal passed last; null when it never did. */
  passed_at: required(nullable(time)),
  damage: required(
    nullable(
      object('Damage', {
        detail: required(text()),
        found_at: required(time),
        sequence: optional(count),
        /** The damaged table, which a rebuild repairs. */
        table: optional(text()),
      }),
    ),
  ),
});

interface Place {
  readonly world: Pick<World, 'env' | 'directory' | 'clock'>;
  readonly origin: string;
}

interface LastVerdict {
  readonly passed_at: string | null;
  readonly damage: Refusal | null;
}

const nothing: LastVerdict = { passed_at: null, damage: null };

const fileOf = ({ world, origin }: Place): string => `${witnessFile(witnessDirectory(world.env), origin)}.verified`;

/** Returns what is remembered of a home; nothing when the file cannot be read or is that of a copy. */
export function remembered(place: Place): LastVerdict {
  const read = readWitness(fileOf(place));
  const json = read.status === 'read' ? parseJson(read.note) : null;
  if (json === null || isRefused(json)) return nothing;
  const decoded = decode(fileCodec, json.right);
  if (isRefused(decoded) || decoded.right.home !== realpathSync(place.world.directory)) return nothing;
  const { passed_at, damage } = decoded.right;
  if (damage === null) return { passed_at, damage };
  const { detail, sequence, table } = damage;
  const facts = { ...(sequence === undefined ? {} : { sequence }), ...(table === undefined ? {} : { table }) };
  const hint = table === undefined ? 'agent-cli verify' : 'agent-cli rebuild';
  return { passed_at, damage: { code: 'integrity', detail, facts, hint } };
}

/** Remembers that the whole journal passed a verification. A file that cannot be written changes nothing but what `doctor` says. */
export const rememberPass = (place: Place): void => write(place, { passed_at: formatTime(place.world.clock()), damage: null });

/** Remembers damage, unless some is remembered already. */
export function rememberDamage(place: Place, { detail, facts = {} }: Refusal): void {
  const { passed_at, damage } = remembered(place);
  if (damage !== null) return;
  const { sequence, table } = facts;
  const where = {
    ...(typeof sequence === 'number' ? { sequence } : {}),
    ...(typeof table === 'string' ? { table } : {}),
  };
  write(place, { passed_at, damage: { detail, found_at: formatTime(place.world.clock()), ...where } });
}

/** Forgets the damage of tables, which were made again from verified entries. */
export function rememberRebuilt(place: Place): void {
  const { passed_at, damage } = remembered(place);
  if (damage?.facts?.['table'] !== undefined) write(place, { passed_at, damage: null });
}

function write(place: Place, value: { readonly passed_at: string | null; readonly damage: object | null }): void {
  const file = fileOf(place);
  try {
    makeDirectories(path.dirname(file), 0o700);
    replaceFile(file, utf8(`${JSON.stringify({ home: realpathSync(place.world.directory), ...value })}\n`));
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}
