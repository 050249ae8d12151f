/** The messages of workers about themselves. */
import { parseJsonBytes } from '../../base/json-parse.js';
import { isRefused } from '../../base/result.js';
import { workerBeat, type WorkerBeat } from '../../codec/jobs.js';
import { decode } from '../../codec/kit.js';

/** Returns a worker's message about itself, or null for bytes that are none. */
export function readBeat(message: Uint8Array): WorkerBeat | null {
  const json = parseJsonBytes(message);
  const beat = isRefused(json) ? json : decode(workerBeat, json.right);
  return isRefused(beat) ? null : beat.right;
}
