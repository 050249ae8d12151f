/** The texts that every research result carries, and the numbers that the ranking is defined by. */

export const method_text = 'BM25 over sentences with paragraph context, selected by maximal marginal relevance';
export const limits_text =
  'Findings are verbatim sentences of the supplied sources, ranked by words in common with the goal, or akin to its words; no ' +
  'source was fetched and no claim was checked against the world.';

/** Okapi BM25 (Robertson and Zaragoza 2009). */
export const k1 = 1.2;
export const b = 0.75;
/** A paragraph's length counts in full: long paragraphs hold every topic word of their subject. */
export const paragraph_b = 1;
/** Share of the paragraph's score, and of the scores of the sentences before and after in the same paragraph. */
export const paragraph_share = 0.45;
export const before_share = 0.2;
export const after_share = 0.1;
/** Credit for a goal term that only the sentence before or after holds. */
export const near_credit = 0.5;
/** Occurrences that a goal term counts for when only a kindred word stands in its place. */
export const kin_credit = 0.5;
/** Letters of the beginning that kindred words of more letters share: truncation to five (McNamee et al., SIGIR 2009). */
export const kin_letters = 5;
/** Weight of a goal term that frames the question ("what kind of", "the name of") or says little by itself. */
export const frame_weight = 0.5;
/** Factor for a sentence that holds something of the kind that the goal asks for: a new date, number or name. */
export const answer_factor = 1.3;
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
/** A longer sentence is cut after its last white space within this length. UTF-16 code units. */
export const sentence_chars_max = 600;
