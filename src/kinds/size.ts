/**
 * The bounds on the size of a kind's results, so that a mission whose result or export could not be stored is refused when it is
 * queued. An export holds a result as text inside a text, where each quotation mark and each backslash takes one byte more.
 */
export interface Extent {
  readonly bytes: number;
  /** The number of quotation marks and backslashes. */
  readonly marks: number;
}

export interface SizeBounds<Work> {
  /** The canonical JSON of any result. Ids have no marks; those around ids and member names are counted. */
  readonly result: (work: Work) => Extent;
  /** The solution of an earlier mission with the same ids (`Answer.solution`); absent for a kind without any. */
  readonly warmStart?: (work: Work) => Extent;
}

/** The extent of the text `null`. */
export const no_warm_start: Extent = { bytes: 4, marks: 0 };

/** The marks of the member names and texts of a result's top level, including an engine's own sentences. */
export const top_level_marks = 2_000;

export const marksIn = (text: string): number => text.match(/["\\]/g)?.length ?? 0;
