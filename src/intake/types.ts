/** What files say, on the way from a reader to the draft of a mission. */
import type { Json } from '../base/canonical-json.js';

/** A file as its owner has it: the name is shown and recorded, nothing is decided by it. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A cell as a reader gives it. `text` is what the file shows or says, raw; faults quote it. */
export type Cell =
  | { readonly type: 'blank' }
  | { readonly type: 'text'; readonly text: string }
  /** A typed number of a workbook, as its raw digits, with the currency or the % of its format; a percentage is already times 100. */
  | { readonly type: 'number'; readonly text: string; readonly unit?: string }
  /** A typed date of a workbook, as an ISO 8601 civil date, or date and time. */
  | { readonly type: 'date'; readonly text: string }
  /** An error value such as #N/A, or a formula without a cached value. */
  | { readonly type: 'fault'; readonly text: string; readonly cause: 'error' | 'no_value' };

export interface Sheet {
  /** Null where the file has no sheets. */
  readonly name: string | null;
  /** Rows as a spreadsheet numbers them: the first is row 1. */
  readonly rows: readonly (readonly Cell[])[];
  /** Why it was not read; its rows are missing then. */
  readonly fault?: string;
  readonly notes: readonly string[];
}

export interface Workbook {
  readonly type: 'table';
  readonly reader: 'csv' | 'xlsx' | 'html';
  readonly version: number;
  readonly sheets: readonly Sheet[];
  readonly notes: readonly string[];
}

export type BlockType = 'heading' | 'paragraph' | 'list_item' | 'table_row' | 'code';

/** A part of a document that can be quoted alone. */
export interface Block {
  readonly type: BlockType;
  readonly text: string;
  /** The page that it begins on, from 1. */
  readonly page?: number;
  readonly line?: number;
  /** The headings above it, outermost first. */
  readonly under?: readonly string[];
  /** The header cells of a table row. */
  readonly header?: readonly string[];
}

export interface TextDocument {
  readonly type: 'document';
  readonly reader: 'text' | 'markdown' | 'html' | 'pdf' | 'docx';
  readonly version: number;
  readonly title: string;
  readonly pages?: number;
  readonly blocks: readonly Block[];
  readonly notes: readonly string[];
}

/** One message for one cause. `rows` are the first three, `count` says how many there are. The message names column, rows and cell; `hint` is the flag of the command line that helps. */
export interface IntakeFault {
  readonly file: string;
  readonly sheet?: string;
  readonly column?: string;
  readonly rows: readonly number[];
  readonly count: number;
  readonly cell?: string;
  readonly message: string;
  readonly hint?: string;
}

/** A question that the file leaves open. Each reading says which option settles it so. */
export interface Choice {
  readonly about: 'decimal' | 'date' | 'column' | 'gaps' | 'risk' | 'sheet' | 'duplicates' | 'unit';
  readonly message: string;
  readonly flag: string;
  readonly readings: readonly { readonly label: string; readonly option: Partial<IntakeOptions> }[];
}

/** What the owner of a file said about it: the flags of the command line, or the choices of the page. */
export interface IntakeOptions {
  goal?: string;
  sheet?: string;
  column?: string;
  dateColumn?: string;
  /** Column of the file → member of the mission. */
  map?: Record<string, string>;
  decimal?: '.' | ',';
  dateOrder?: 'dmy' | 'mdy';
  gaps?: 'interpolate' | 'zero' | 'previous';
  sum?: boolean;
  mean?: boolean;
  every?: string;
  keepPartial?: boolean;
  /** Words for risk → their numbers. */
  scale?: Record<string, number>;
  unit?: 'minute' | 'hour' | 'day';
  /** Members of the work that are not in the file. */
  set?: Record<string, Json>;
  /** False leaves the names of files out of what is recorded. */
  names?: boolean;
}

/** The table as it was read, for people. */
export interface Preview {
  readonly sheet: string | null;
  /** The names of all sheets that have rows, where there are several. */
  readonly sheets?: readonly string[];
  /** Each column with the member that it became, and all members that it may become. */
  readonly columns: readonly { readonly name: string; readonly member: string | null; readonly members: readonly string[] }[];
  /** The first rows. */
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
  /** How many rows of data there are. */
  readonly total: number;
}

/** What reading files for a mission came to. */
export type Outcome =
  | {
      readonly outcome: 'draft';
      readonly kind: string;
      /** A mission file. */
      readonly draft: Json;
      readonly rows: number;
      readonly notes: readonly string[];
      readonly provenance: Json;
      readonly preview?: Preview;
      readonly documents?: readonly TextDocument[];
    }
  | {
      readonly outcome: 'choice_needed';
      readonly choices: readonly Choice[];
      readonly notes: readonly string[];
      readonly preview?: Preview;
    }
  | {
      readonly outcome: 'invalid';
      readonly errors: readonly IntakeFault[];
      readonly notes: readonly string[];
      readonly preview?: Preview;
    };
