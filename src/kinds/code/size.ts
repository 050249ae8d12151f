/** An upper bound of the result's canonical JSON in bytes. */
import { utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { marksIn, noWarmStart, top_level_marks, type SizeBounds } from '../size.js';
import { generated_bytes_max } from './constants.js';
import type { CodeWork } from './work.js';

const fixed_bytes = 2_000;
/** `"too_large",` */
const verdict_bytes = 12;

const codeText = ({ candidate }: CodeWork): string => canonicalJson(candidate);

const resultBytes = (work: CodeWork): number =>
  fixed_bytes +
  verdict_bytes * (work.examples.length + work.heldout.length) +
  (work.candidate === '' ? generated_bytes_max : utf8(codeText(work)).length);

const resultMarks = (work: CodeWork): number =>
  top_level_marks +
  2 * (work.examples.length + work.heldout.length) +
  (work.candidate === '' ? generated_bytes_max : marksIn(codeText(work)));

export const codeSize: SizeBounds<CodeWork> = { resultBytes, resultMarks, warmStart: noWarmStart };
