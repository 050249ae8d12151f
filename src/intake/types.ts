/** What files say, on the way from a reader to the draft of a mission. */
import type { IntakeOutcome } from '../codec/api-intake.js';

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

type DraftOutcome = Extract<IntakeOutcome, { readonly outcome: 'draft' }>;

/** The outcome of reading files for a mission: what is shown of it, and the documents of which the draft was made. */
export type Outcome =
  | Exclude<IntakeOutcome, DraftOutcome>
  | (Omit<DraftOutcome, 'documents'> & { readonly documents?: readonly TextDocument[] });
