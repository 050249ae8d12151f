/** Compares what an export says with the files that its mission was made from: every value, gap and block, and the pages of the quotes. */
import { isRefused, type Refusal } from '../../base/refusal.js';
import { decode } from '../../codec/kit.js';
import type { FileComparison, Quote } from '../../intake/compare/types.js';
import { compareInProcess } from '../../intake/process/reading.js';
import type { InputFile } from '../../intake/types.js';
import { missionRequest } from '../../kinds/request.js';
import { membersOf } from '../../codec/faults.js';

export interface SourceVerdict {
  /** Whether the request is what its files say, and each quote stands where its page is named; null where that cannot be told. */
  readonly source: boolean | null;
  /** A comparison for each file of the request. */
  readonly sources: readonly FileComparison[];
  /** Why `source` is null. */
  readonly source_reason: string | null;
}

interface RecordedSource {
  readonly request: unknown;
  readonly document: Readonly<Record<string, unknown>>;
}

const cannot = (source_reason: string): SourceVerdict => ({ source: null, sources: [], source_reason });

/** Reads the files again and compares. @throws RefusalError `invalid` for files that are too large, or take too long to be read */
export async function verifySource(recorded: RecordedSource | Refusal, files: readonly InputFile[]): Promise<SourceVerdict> {
  if ('code' in recorded) return cannot(recorded.detail);
  const decoded = decode(missionRequest, recorded.request);
  if (isRefused(decoded)) return cannot(`the request is not valid in this version: ${decoded.left.detail}`);
  const request = decoded.right;
  if (request.provenance === undefined) return cannot('the mission was not made from files');
  const sources = await compareInProcess({ request, quotes: quotesIn(recorded.document['result']) }, files);
  const unknown = sources.find(({ same }) => same === null);
  const differs = sources.some(({ same }) => same === false);
  return {
    source: differs ? false : unknown === undefined ? true : null,
    sources,
    source_reason: differs || unknown === undefined ? null : `${unknown.file}: ${unknown.reason}`,
  };
}

/** Returns the quotes of a result, whichever engine made it. */
function quotesIn(result: unknown): readonly Quote[] {
  const { findings } = membersOf(result);
  return (Array.isArray(findings) ? findings : []).flatMap((finding: unknown) => {
    const { source_id, quote, start, page } = membersOf(finding);
    if (typeof source_id !== 'string' || typeof quote !== 'string' || typeof start !== 'number') return [];
    return [{ source_id, quote, start, ...(typeof page === 'number' ? { page } : {}) }];
  });
}
