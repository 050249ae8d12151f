/** The manifest of a backup archive: canonical JSON of member name to SHA-256; ours also say what the journal holds. */
import type * as t from 'io-ts';
import { archive_series_max } from '../base/limits.js';
import { count, hash } from './scalars.js';
import { integer, object, optional, required, text } from './kit.js';

/** The whole journal, also where this archive holds a part of it. */
const journal = object('ManifestJournal', {
  events: required(count),
  head: required(hash),
  root: required(hash),
  /** The newest checkpoint, a signed note. */
  checkpoint: required(text({ min: 1, max: 65_536 })),
});

/** Which part of a series this archive is, and the entries that it holds. */
const series = object('ManifestSeries', {
  number: required(integer(1, archive_series_max)),
  of: required(integer(2, archive_series_max)),
  first: required(integer(1, Number.MAX_SAFE_INTEGER)),
  last: required(integer(1, Number.MAX_SAFE_INTEGER)),
});

export const manifestCodec = object('Manifest', {
  'api.token': required(hash),
  'config.json': required(hash),
  'identity.key': required(hash),
  'journal.sqlite3': required(hash),
  '@journal': optional(journal),
  '@series': optional(series),
});

export type Manifest = t.TypeOf<typeof manifestCodec>;
export type ManifestJournal = t.TypeOf<typeof journal>;
export type ManifestSeries = t.TypeOf<typeof series>;

/** What is backed up, in the order of the archive; the manifest comes last. */
export const archived_files = ['config.json', 'identity.key', 'api.token', 'journal.sqlite3'] as const;
export const manifest_name = 'manifest.json';
