/** An upper bound of the result's canonical JSON in bytes, whatever the goal. */
import { canonicalJson } from '../../base/canonical-json.js';
import { utf8 } from '../../base/bytes.js';
import { type Extent, marksIn, top_level_marks, type SizeBounds } from '../size.js';
import type { ResearchWork } from './work.js';
import {
  also_in_max,
  findings_max,
  goal_term_chars_max,
  goal_terms_max,
  normal_segment_points,
  sentence_chars_max,
} from './constants.js';
import { normalise } from './engine/normal.js';

const fixed_bytes = 2_000;
/** The size of the names, id, offsets, block, page, score and count of a finding, and of the ids of other sources with copies. */
const finding_bytes = 350 + also_in_max * 67;
const source_bytes = 64 + 60;
/** The quotes and the comma of each term, and what a stem may have more than its word; a gram has at most 3 characters. */
const term_bytes = goal_terms_max * (3 + 3 + 9);
/** Letters of terms have 3 bytes a code unit. */
const goal_terms_bytes = 3 * goal_terms_max * goal_term_chars_max + term_bytes;
/** The terms of a finding are words of its sentence. */
const finding_terms_bytes = 3 * sentence_chars_max + term_bytes;
/** The most code units of a text that have a normal form of one. */
const longest_decomposition = 4;

const findings_marks = 40_000;

/** Titles and addresses are copied; a dozen findings hold a sentence of at most 600 characters twice, at most 128 terms, and at most 20 ids. */
function result(work: ResearchWork): Extent {
  let bytes = fixed_bytes + 2 * goal_terms_bytes;
  let marks = top_level_marks + findings_marks;
  let quote_bytes = 0;
  for (const { id, title, url, text } of work.sources) {
    const copied = canonicalJson([id, title, url]);
    bytes += source_bytes + utf8(copied).length;
    marks += 20 + marksIn(copied);
    quote_bytes = Math.max(quote_bytes, Math.min(quoteChars(text), text.length) * widest(text) + 2);
  }
  const lines = work.sources.some(({ text }) => text.includes('|')) ? 2 : 1;
  bytes += findings_max * (finding_bytes + (1 + lines) * quote_bytes + lines * finding_terms_bytes);
  return { bytes, marks };
}

/** Returns the most code units of a sentence. Its normal form is no longer than the limit; characters below U+00AA are normal. */
const quoteChars = (text: string): number =>
  /[\u00aa-\uffff]/.test(text) && normalise(text).edits.length > 0
    ? longest_decomposition * sentence_chars_max + 2 * normal_segment_points
    : sentence_chars_max;

/** Returns the most bytes of canonical JSON for one code unit of the text. */
function widest(text: string): number {
  let most = 1;
  for (let i = 0; i < text.length && most < 6; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20) most = Math.max(most, unit === 9 || unit === 10 || unit === 13 || unit === 8 || unit === 12 ? 2 : 6);
    else if (unit === 0x22 || unit === 0x5c || (unit >= 0x80 && unit < 0x800)) most = Math.max(most, 2);
    else if (unit >= 0x800) most = Math.max(most, 3);
  }
  return most;
}

export const researchSize: SizeBounds<ResearchWork> = { result };
