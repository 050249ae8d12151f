/** The checks of an outcome before it is recorded. */
import { canonicalJson } from '../../../base/canonical-json.js';
import { isCanonicalObject } from '../../../base/canonical-scan.js';
import { isRefused } from '../../../base/refusal.js';
import { decode } from '../../../codec/kit.js';
import { outcomeCodec } from '../../../codec/simulation-results.js';
import { canonicalRequest } from '../../../codec/simulation.js';
import { outcomeFault } from '../../../engines/simulation/verify/verify.js';
import type { SimulationTask } from '../../workers/simulation-jobs.js';

/** Returns why the text cannot be recorded as an outcome of the task, or null. @param alive called many times a second */
export function checkOutcome(text: string, { request, islands }: SimulationTask, alive: () => void): string | null {
  if (!isCanonicalObject(text)) return 'the outcome is not canonical JSON';
  alive();
  const outcome = decode(outcomeCodec, JSON.parse(text));
  if (isRefused(outcome)) return outcome.left.detail;
  alive();
  const { request: told, ...claim } = outcome.right;
  if (canonicalJson(told) !== canonicalJson(canonicalRequest(request))) return 'the outcome belongs to another request';
  if (canonicalJson(claim.islands) !== canonicalJson(islands)) return 'the outcome belongs to other islands';
  return outcomeFault({ ...claim, request }, alive);
}
