/** An upper bound of the result's canonical JSON in bytes. */
import { utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { type Extent, marksIn, top_level_marks, type SizeBounds } from '../size.js';
import { generated_bytes_max } from './constants.js';
import type { CodeWork } from './work.js';

const fixed_bytes = 2_000;
/** `"too_large",` */
const verdict_bytes = 12;

function result({ candidate, examples, heldout }: CodeWork): Extent {
  const cases = examples.length + heldout.length;
  const text = canonicalJson(candidate);
  const generated = { bytes: generated_bytes_max, marks: generated_bytes_max };
  const code = candidate === '' ? generated : { bytes: utf8(text).length, marks: marksIn(text) };
  return { bytes: fixed_bytes + verdict_bytes * cases + code.bytes, marks: top_level_marks + 2 * cases + code.marks };
}

export const codeSize: SizeBounds<CodeWork> = { result };
