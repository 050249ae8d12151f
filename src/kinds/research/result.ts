/** The research results, the members of their canonical JSON. */
import type { Inference } from '../../codec/chat-completion.js';
import type { QuotePlace } from './work.js';

export interface Finding extends QuotePlace {
  /** The quote with each run of white space replaced by one space. */
  readonly claim: string;
  readonly source_id: string;
  /** text.slice(start, end) of the source: a sentence, with those beside it that are understood by it only. */
  readonly quote: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** The header of the table of which the quote is a row, word for word; absent for other quotes and tables that are quoted whole. */
  readonly header?: string;
  /** Goal terms in the quote and its header, in the order of the goal. */
  readonly terms: readonly string[];
  /** The number of relevant sentences that say the same in nearly the same words, and are not findings themselves. */
  readonly copies: number;
  /** The ids of other sources that hold one of the copies, in the order of the request. */
  readonly also_in: readonly string[];
}

export interface CitedSource {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** Hash of the source's UTF-8 text. */
  readonly sha256: string;
}

export interface Coverage {
  /** The distinct index terms of the goal. */
  readonly terms: readonly string[];
  /** The terms that no finding covers. */
  readonly uncovered: readonly string[];
}

export interface ResearchResult {
  readonly method: string;
  /** In the order of selection; empty when no passage is relevant. */
  readonly findings: readonly Finding[];
  readonly sources: readonly CitedSource[];
  readonly coverage: Coverage;
  readonly limits: string;
}

/** A finding that a language model proposed: the claim is the model's, and nothing ranks it. */
export interface ModelFinding extends Omit<Finding, 'score' | 'copies' | 'also_in'> {
  readonly score: null;
}

/** The result of a mission that was executed with a language model. */
export interface ModelResult extends Omit<ResearchResult, 'findings'> {
  /** In the order of the model's answer. */
  readonly findings: readonly ModelFinding[];
  readonly inference: Inference;
}
