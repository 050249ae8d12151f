/** What a request says of the files that it was read from, so that whoever has them can read them again and compare. */
import * as t from 'io-ts';
import * as limits from '../base/limits.js';
import type { FieldError } from '../base/refusal.js';
import { integer, list, mapOf, object, optional, required, text } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { maybe, viewOf } from './view-fields.js';

const count = integer(0, Number.MAX_SAFE_INTEGER);
const words = text({ min: 1, max: limits.provenance_text_chars_max });

const file = object('ProvenanceFile', {
  /** As its owner named it; absent where names are not to be recorded. */
  name: optional(words),
  sha256: required(hash),
  bytes: required(count),
  /** The reader and its version, which say how the file was read. */
  reader: required(words),
  version: required(integer(1, Number.MAX_SAFE_INTEGER)),
  sheet: optional(words),
  /** The member that each column became. */
  mapping: optional(mapOf(t.unknown)),
  /** What was decided where the file could be read in several ways. */
  choices: optional(mapOf(t.unknown)),
  rows: optional(count),
  notes: required(list(words, 0, limits.provenance_notes_max)),
});

export const provenance = object('Provenance', {
  files: required(list(file, 1, limits.provenance_files_max)),
  /** Paths below `work` of values that a person changed after the files were read. */
  changed: optional(list(words, 1, limits.provenance_changes_max)),
});

/** Returns a fault for each source whose file the provenance does not list. */
export const fileFaults = (sources: readonly { readonly file?: number }[], files: number): FieldError[] =>
  sources.flatMap(({ file: index }, i) =>
    index === undefined || index < files
      ? []
      : [{ path: `work.sources[${i}].file`, message: 'is not the position of a file of provenance, counted from 0' }],
  );

/** What people see of a file that a request was read from. */
const shown = t.type({
  provenance: t.type({
    files: t.array(
      t.type({
        name: maybe(t.string),
        sheet: maybe(t.string),
        rows: maybe(t.number),
        bytes: t.number,
        sha256: t.string,
        reader: t.string,
        version: t.number,
        notes: t.array(t.string),
      }),
    ),
    changed: maybe(t.array(t.string)),
  }),
});

/** Returns what a request was read from; null for one that was typed, one of another shape, and an erased one. */
export const provenanceOf = (request: unknown) => viewOf(shown, request)?.provenance ?? null;
