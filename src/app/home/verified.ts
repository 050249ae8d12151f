/**
 * What is remembered of verifications, in a file beside the witness file: when the whole journal passed last, and the damage that was found
 * since. While damage is remembered, commands refuse what they refuse on a damaged home; a verification that passes forgets it.
 *
 * The file is no proof of anything, and is not relied on: what a command reads is proven anew (src/state).
 */
import * as path from 'node:path';
import { realpathSync } from 'node:fs';
import { parseJson } from '../../base/json.js';
import type { Refusal } from '../../base/refusal.js';
import { isRefused } from '../../base/result.js';
import { formatTime } from '../../base/time.js';
import { decode, nullable, object, optional, required, text } from '../../codec/kit.js';
import { count, time } from '../../codec/scalars.js';
import { replaceFile, makeDirectories } from '../../home/files.js';
import { utf8 } from '../../base/bytes.js';
import { errorCode } from '../../base/fault.js';
import { witnessDirectory, witnessFile } from '../../home/paths.js';
import { readWitness } from '../../home/witness-file.js';
import type { World } from './world.js';

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

export interface Remembered {
  readonly passed_at: string | null;
  readonly damage: Refusal | null;
}

const nothing: Remembered = { passed_at: null, damage: null };

const fileOf = ({ world, origin }: Place): string => `${witnessFile(witnessDirectory(world.env), origin)}.verified`;

/** Returns what is remembered of a home; nothing when the file cannot be read or is that of a copy. */
export function remembered(place: Place): Remembered {
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
