/**
 * An upper bound of a mission's export, known when it is queued. An export holds the result three times: in the entry's body, and as
 * text inside a text in canonical_body and canonical_result, where every quotation mark and backslash takes one byte more. So the
 * bound counts bytes and those marks apart.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { operations_max } from '../../base/limits.js';
import type { MissionRequest } from '../../kinds/request.js';
import type { ResearchWork } from '../../kinds/research/work.js';
import type { Work } from '../../kinds/works.js';

interface Extent {
  readonly bytes: number;
  /** Quotation marks and backslashes. */
  readonly marks: number;
}

/** A note of 2000 characters and an actor of 64, 13 bytes each at worst in the two copies of the body; a proof of 64 hashes; the rest. */
const fixed_bytes = 40_000;
/** Member names and texts of a result's top level, an engine's own sentences included. */
const fixed_marks = 2_000;

const marksIn = (text: string): number => text.match(/["\\]/g)?.length ?? 0;
const extentOf = (text: string): Extent => ({ bytes: Buffer.byteLength(text), marks: marksIn(text) });

/** @param text canonical JSON of the request @param result_bytes the engine's bound of its result */
export function exportBytesBound(request: MissionRequest, text: string, result_bytes: number): number {
  const goal = extentOf(canonicalJson(request.goal));
  const seed = warmStart(request.work);
  const inBody = goal.bytes + seed.bytes + result_bytes;
  const marks = goal.marks + seed.marks + 2 * resultMarks(request.work);
  return fixed_bytes + Buffer.byteLength(text) + 2 * inBody + result_bytes + marks;
}

/** What an earlier solution with the same ids takes: a list of item ids, or of job numbers of up to three digits. */
function warmStart(work: Work): Extent {
  if (work.kind === 'schedule') return { bytes: 20 + 4 * operations_max, marks: 2 };
  if (work.kind !== 'allocation') return { bytes: 4, marks: 0 };
  const { items } = work;
  return { bytes: items.reduce((sum, { id }) => sum + id.length + 3, 20), marks: 2 + 2 * items.length };
}

/** The marks of any result for this work. Ids hold none; those around them, and around member names, are counted. */
function resultMarks(work: Work): number {
  switch (work.kind) {
    case 'research':
      return fixed_marks + researchMarks(work);
    case 'allocation':
      return fixed_marks + 8 * work.items.length + marksIn(canonicalJson(work.unit));
    case 'schedule':
      return (
        fixed_marks + work.jobs.reduce((sum, { operations }) => sum + 16 * operations.length, marksIn(canonicalJson(work.unit)))
      );
    case 'forecast':
      return fixed_marks + forecast_marks + marksIn(canonicalJson(work.unit));
    case 'code':
      return 0;
  }
}

/** The models' names and parameters take less than half of 24 000 bytes. */
const forecast_marks = 12_000;
const findings_marks = 40_000;

/** Titles and addresses are copied; a dozen findings hold a sentence of at most 600 characters twice, and at most 64 terms. */
const researchMarks = ({ sources }: ResearchWork): number =>
  sources.reduce((sum, { id, title, url }) => sum + 20 + marksIn(canonicalJson([id, title, url])), findings_marks);
