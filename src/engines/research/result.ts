/** The research result as it stands in canonical JSON, its texts, and the constants that the ranking is defined by. */

export interface Finding {
  /** The quote with its white space made single spaces. */
  readonly claim: string;
  readonly source_id: string;
  /** text.slice(start, end) of the source. */
  readonly quote: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** Goal terms in the quote, in the order of the goal. */
  readonly terms: readonly string[];
}

export interface CitedSource {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** Of the UTF-8 text. */
  readonly sha256: string;
}

export interface Coverage {
  /** The distinct index terms of the goal. */
  readonly terms: readonly string[];
  /** Those that no finding covers. */
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

export const method_text = 'BM25 over sentences with paragraph context, selected by maximal marginal relevance';
export const limits_text =
  'Findings are verbatim sentences of the supplied sources, ranked by words in common with the goal; no source was fetched and no ' +
  'claim was checked against the world.';

/** Okapi BM25 (Robertson and Zaragoza 2009). */
export const k1 = 1.2;
export const b = 0.75;
/** Shares of the paragraph's score and of the scores of the sentences before and after in the same paragraph. */
export const paragraph_share = 0.45;
export const neighbour_share = 0.2;
/** Credit for a goal term that only the sentence before or after holds. */
export const near_credit = 0.5;
/** Factors for a sentence that holds a new figure, or new names, when the goal asks for one. */
export const figure_factor = 1.2;
export const name_factor = 1.3;
/**
 * A finding holds at least this share of the goal's idf; of a goal with many terms, this part of an average term's share, whichever
 * is less.
 */
export const relevance_min = 0.1;
export const relevance_term_part = 0.75;
/** And at least this share of the best score. */
export const score_share_min = 0.2;
/** Weight of relevance against redundancy (Carbonell and Goldstein 1998). */
export const mmr_lambda = 0.9;
/** A sentence at least as similar as this to a finding is a copy of it: copies come after everything else. */
export const copy_similarity = 0.9;
export const findings_max = 12;
export const goal_terms_max = 64;
export const goal_term_chars_max = 64;
