/** The texts and constants of results of version 1 of the engine. They never change. */

export const method_text = 'BM25 over sentences with paragraph context, selected by maximal marginal relevance';
export const limits_text =
  'Findings are verbatim sentences of the supplied sources, ranked by words in common with the goal, or akin to its words; no ' +
  'source was fetched and no claim was checked against the world.';

/** Okapi BM25 (Robertson and Zaragoza 2009). */
export const k1 = 1.2;
export const b = 0.75;
/** A paragraph's length counts in full, because long paragraphs hold every topic word of their subject. */
export const paragraph_b = 1;
/** The share of the paragraph's score, and of the scores of the sentences before and after in the same paragraph. */
export const paragraph_share = 0.45;
export const before_share = 0.2;
export const after_share = 0.1;
/** The credit for a goal term that only the sentence before or after holds. */
export const near_credit = 0.5;
/** The occurrences counted for a goal term when only a kindred word occurs. */
export const kin_credit = 0.5;
/** The number of initial letters that longer kindred words share: truncation to five (McNamee et al., SIGIR 2009). */
export const kin_letters = 5;
/** The weight of a goal term that frames the question ("what kind of", "the name of") or has little meaning by itself. */
export const frame_weight = 0.5;
/** The factor for a sentence that holds an answer of the kind that the goal requests: a new date, number or name. */
export const answer_factor = 1.3;
/**
 * The least share of the goal's idf in a finding; for a goal with many terms, this part of an average term's share, if that is
 * less.
 */
export const relevance_min = 0.1;
export const relevance_term_part = 0.75;
/** The least share of the best score in a finding. */
export const score_share_min = 0.2;
export const findings_max = 12;
export const goal_terms_max = 64;
export const goal_term_chars_max = 64;
/** The longest sentence, in UTF-16 code units. A longer one is cut after its last white space within this length. */
export const sentence_chars_max = 600;
