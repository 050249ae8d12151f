/** The head that a journal is expected to hold: what `doctor` printed earlier, or elsewhere. */
import { invalid, type Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { readRow, type Head } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';

export interface ExpectedHead {
  readonly size: number | null;
  readonly hash: string;
}

/** Reads `size:first-16-hex` or the 64 hex of a hash. @throws RefusalError `invalid` for anything else */
export function parseHead(text: string): ExpectedHead {
  const short = /^([1-9][0-9]{0,15}):([0-9a-f]{16,64})$/.exec(text);
  if (short !== null) return { size: Number(short[1]), hash: short[2] ?? '' };
  if (/^[0-9a-f]{64}$/.test(text)) return { size: null, hash: text };
  throw new RefusalError(invalid('expect-head', 'must be 64 hexadecimal digits, or events:first-16-hex as doctor prints it'));
}

export interface HeadFault {
  readonly code: Refusal['code'];
  readonly sequence: null;
  readonly detail: string;
}

/** Returns null if the journal has that head, as its newest entry or as an earlier one that it has grown from. */
export function checkHeadOf(db: Db, head: Head, expected: ExpectedHead): HeadFault | null {
  const found =
    expected.size === null
      ? db.prepare<[string], { seq: number }>('SELECT seq FROM events NOT INDEXED WHERE hash = ?').get(expected.hash) !==
        undefined
      : readRow(db, expected.size)?.hash.startsWith(expected.hash) === true;
  if (found) return null;
  const isOlder = expected.size !== null && expected.size > head.size;
  const detail = isOlder
    ? `the journal ends at entry ${head.size}; the expected head has ${expected.size}`
    : 'the expected head is not an entry of this journal';
  return { code: isOlder ? 'rollback' : 'fork', sequence: null, detail };
}
