/** Reads the file of sectors that a request names. */
import { parseJsonBytes } from '../../base/json.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import { simulation_request_bytes_max } from '../../base/simulation-limits.js';
import { readInput } from '../../home/files.js';

/** Returns the list in a JSON file; the request's codec checks its items. @throws RefusalError for a file that holds no list */
export function readSectors(file: string): readonly unknown[] {
  const list = unwrap(parseJsonBytes(readInput(file, simulation_request_bytes_max), { byteOrderMark: 'ignore' }));
  if (Array.isArray(list)) return list;
  throw new RefusalError(invalid('sectors', `${file} must hold a JSON array of sectors`));
}
