/** A projector maintains the tables of a projection. They are in the journal's file, so that an event and the rows that it changes are one commit. */
import type { Entry } from '../codec/entry.js';
import type { Db } from './database.js';

export interface Projector {
  readonly name: string;
  /** Increased when the tables or their meaning change: they are then dropped and rebuilt. */
  readonly version: number;
  /** The whole definition of the projection's tables and indexes. */
  readonly ddl: string;
  readonly tables: readonly string[];
  /** Prepares its statements once for a connection. */
  readonly bind: (db: Db) => (entry: Entry) => void;
}
