/** The manifest of a backup archive: canonical JSON of member name to SHA-256; archives of this program also describe the journal. */
import type * as t from 'io-ts';
import { archive_series_max } from '../base/limits.js';
import { count, hash } from './scalars.js';
import { integer, object, optional, required, text } from './kit.js';

/** Describes the whole journal, even when this archive holds only a part of it. */
const journal = object('ManifestJournal', {
  events: required(count),
  head: required(hash),
  root: required(hash),
  /** The newest checkpoint, a signed note. */
  checkpoint: required(text({ min: 1, max: 65_536 })),
});

/** The number of this archive in its series, and the entries that it holds. */
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

/** The backed-up files in the order of the archive; the manifest comes last. */
export const archived_files = ['config.json', 'identity.key', 'api.token', 'journal.sqlite3'] as const;
export const manifest_name = 'manifest.json';
