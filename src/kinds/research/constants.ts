/** The texts that every research result carries, and the constants of the ranking. */

/** Recorded with each result; the version increases whenever a result changes. */
export const engine_id = { name: 'research', version: '2.5.1' } as const;

export const method_text =
  'BM25 over sentences with paragraph context, and over grams of letters where stems are not enough, selected by maximal marginal relevance, copies folded into one finding';
export const limits_text =
  'Findings are verbatim sentences of the supplied sources, ranked by words in common with the goal, or akin to its words; no ' +
  'source was fetched and no claim was checked against the world.';

/** Recorded as the engine of findings that a language model proposed. */
export const model_id = { name: 'research_model', version: '1.1.0' } as const;
/** The same texts of a result whose findings a language model proposed. */
export const model_method_text =
  'Findings proposed by a language model, each with a quote that was found word for word in its source';
export const model_limits_text =
  'A language model chose the findings and wrote the claims. Of each finding only the quote was checked: it is in its source, word for ' +
  'word. No claim was checked against its quote or the world, no source was fetched, and the same request may give other findings.';
export const model_findings_max = 20;
export const claim_chars_max = 3_000;
export const quote_chars_max = 10_000;

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
/** The number of initial letters that longer kindred words share, by script: truncation to five (McNamee et al., SIGIR 2009). */
export const kin_letters = { latin: 5, greek: 5, cyrillic: 5, arabic: 4, devanagari: 4, hangul: 2 } as const;
/** The share of the score of a text's grams, where stems are not enough; and the length of grams of other scripts. */
export const gram_share = 0.3;
export const gram_length = 3;
/** The least share of common grams of kindred words (Dice). */
export const kin_grams = 0.33;
/** The least number of letters of a word that is the last part of a compound. */
export const compound_letters = 5;
/** The weight of a goal term that frames the question ("what kind of", "the name of") or has little meaning by itself. */
export const frame_weight = 0.5;
/** The weight of a pair of characters in Han or Kana, whose characters are terms too. */
export const pair_weight = 0.5;
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
/** The least score of a sentence without a word of the goal that is quoted with its neighbour, as a multiple of the mean of all sentences. */
export const companion_factor_min = 2;
/** The weight of relevance against redundancy (Carbonell and Goldstein 1998). */
export const mmr_lambda = 0.9;
/** The least share of common words of a sentence and its copy (Jaccard). */
export const copy_similarity = 0.9;
export const also_in_max = 20;
export const findings_max = 12;
export const goal_terms_max = 128;
export const goal_term_chars_max = 64;
/** The longest sentence, in UTF-16 code units. A longer one is cut after its last white space within this length. */
export const sentence_chars_max = 600;
/** The most characters of a text that are normalised together. No word of a language has as many marks on one letter. */
export const normal_segment_points = 32;
/** The least number of code units of a sentence that white space ends, in scripts whose writers put it between phrases only. */
export const phrase_chars_min = 200;
