/** What a request that was made from files says, beside what the files say now. */
import type { MissionRequest } from '../../kinds/request.js';

/** A file as a request records it. */
export type Origin = NonNullable<MissionRequest['provenance']>['files'][number];

/** A passage that a result quotes. */
export interface Quote {
  readonly source_id: string;
  readonly quote: string;
  /** The UTF-16 offset in the text of the source. */
  readonly start: number;
  /** The page that the result names. */
  readonly page?: number;
}

export interface RecordedMission {
  readonly request: MissionRequest;
  readonly quotes: readonly Quote[];
}

interface Count {
  readonly same: number;
  readonly all: number;
}

/** The first difference between a request and a file. */
export interface Difference {
  /** A cell such as `B7 (column "Sales")`, a page such as `page 3`, or a member of the mission. */
  readonly place: string;
  readonly recorded: string;
  readonly found: string;
}

export interface FileComparison {
  readonly file: string;
  /** Null where it cannot be told. */
  readonly same: boolean | null;
  /** Whether its bytes are those that were read, by their SHA-256. */
  readonly is_same_file: boolean;
  /** Values and gaps of a table. */
  readonly values?: Count;
  readonly blocks?: Count;
  /** Quotes of a document that stand where the result says. */
  readonly quotes?: Count & { readonly have_pages: boolean };
  /** Values that a person changed after the file was read, which are not compared. */
  readonly changed?: number;
  readonly difference: Difference | null;
  /** Why it cannot be told. */
  readonly reason: string | null;
}

/** What comparing a file found, before the version of its reader is considered. */
export type Found = Omit<FileComparison, 'file' | 'same' | 'is_same_file' | 'reason'> & {
  readonly reader: string;
  readonly version: number;
};
