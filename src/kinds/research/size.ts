/** An upper bound of the result's canonical JSON in bytes, whatever the goal. */
import { canonicalJson } from '../../base/canonical-json.js';
import { goal_chars_max } from '../../base/limits.js';
import { utf8 } from '../../base/bytes.js';
import { marksIn, noWarmStart, top_level_marks, type SizeBounds } from '../size.js';
import type { ResearchWork } from './work.js';
import { findings_max, goal_terms_max, sentence_chars_max } from './constants.js';

const fixed_bytes = 2_000;
/** The size of the names, id, offsets and score of a finding. */
const finding_bytes = 300;
const source_bytes = 64 + 60;
/** Goal terms are letters and digits: 3 bytes a code unit, and quotes and a comma for each term. */
const terms_bytes = 3 * goal_chars_max + 3 * goal_terms_max;

function resultBytes(work: ResearchWork): number {
  let bytes = fixed_bytes + 2 * terms_bytes;
  let unit_bytes = 1;
  for (const { id, title, url, text } of work.sources) {
    bytes += source_bytes + utf8(canonicalJson([id, title, url])).length;
    unit_bytes = Math.max(unit_bytes, widest(text));
  }
  const quote_bytes =
    Math.min(sentence_chars_max * unit_bytes, Math.max(...work.sources.map((s) => s.text.length)) * unit_bytes) + 2;
  return bytes + findings_max * (finding_bytes + 2 * quote_bytes + terms_bytes);
}

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

const findings_marks = 40_000;

/** Titles and addresses are copied; a dozen findings hold a sentence of at most 600 characters twice, and at most 64 terms. */
const resultMarks = ({ sources }: ResearchWork): number =>
  top_level_marks +
  sources.reduce((sum, { id, title, url }) => sum + 20 + marksIn(canonicalJson([id, title, url])), findings_marks);

export const researchSize: SizeBounds<ResearchWork> = { resultBytes, resultMarks, warmStart: noWarmStart };
