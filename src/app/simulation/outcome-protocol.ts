/** The messages between the thread that reads an outcome and the thread that started it. */
import type { Refusal } from '../../base/refusal.js';
import type { BytesParts } from './outcome-bytes.js';
import type { OutcomeBlob } from './stored-outcome.js';

export interface OutcomeTask extends OutcomeBlob {
  /** The path of the journal. */
  readonly file: string;
  /** Whether the population is returned with genomes. */
  readonly genome: boolean;
}

export type OutcomeAnswer =
  | { readonly type: 'read'; readonly parts: BytesParts }
  | { readonly type: 'refused'; readonly refusal: Refusal };
