/** The largest size of the canonical JSON of a result, in bytes. */
import { canonicalJson } from '../../base/canonical-json.js';
import { operations_max } from '../../base/limits.js';
import { type Extent, marksIn, top_level_marks, type SizeBounds } from '../size.js';
import { endedText } from '../../engines/engine.js';
import { iterationsText, limitsOf, methodText, price_periods_max, treeCharsMax } from './constants.js';
import { horizonOf, type ScheduleWork, timed } from './work.js';

/** The longest number of a result: 12 digits, sign, point, zeros or exponent; or an integer below 2^53. */
const number_bytes_max = 24;
/** An escaped UTF-16 unit prints as `\uXXXX` at worst. */
const char_bytes_max = 6;
/** Member names, punctuation and fixed numbers of the result's top level. */
const frame =
  '{"baseline":,"certificate":{"refutation":""},"gap":,"improvement":,"iterations":,"iterations_formula":,"iterations_max":,"limits":,"lower_bound":,"makespan":,"method":,"operations":[],"optimality_proven":"search","tardiness":,"unit":"","utilisation":{}}';
/** A certificate of prices: each a number and a comma; its other members. */
const price_bytes = price_periods_max * (number_bytes_max + 1) + 4 * number_bytes_max + 200;
const operation_frame = '{"end":,"job":"","machine":"","operation":,"start":},';
const civil_frame = '"end_at":"2026-12-07 08:00","start_at":"2026-12-07 08:00",';

/** An upper bound on the canonical JSON of any result for this work, which needs no escapes of ids: they are ASCII. */
function result(work: ScheduleWork): Extent {
  const { jobs } = timed(work);
  const digits = String(horizonOf(jobs)).length;
  const operation_bytes = operation_frame.length + (work.start === undefined ? 0 : civil_frame.length);
  const operations = jobs.reduce((sum, job) => sum + job.operations.length, 0);
  const machines = new Set<string>();
  let bytes = frame.length + 9 * number_bytes_max + char_bytes_max * work.unit.length;
  bytes += JSON.stringify([
    ...limitsOf(work, endedText(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
    methodText(work.objective),
    iterationsText(work.objective),
  ]).length;
  bytes += work.objective === 'makespan' ? treeCharsMax(operations) : Math.max(treeCharsMax(operations), price_bytes);
  for (const job of work.jobs) {
    const index = String(job.operations.length).length;
    for (const operation of job.operations) {
      bytes += operation_bytes + job.id.length + operation.machine.length + 2 * digits + index;
      machines.add(operation.machine);
    }
  }
  for (const machine of machines) bytes += machine.length + '"":,'.length + number_bytes_max;
  const operation_marks = work.start === undefined ? 16 : 24;
  return { bytes, marks: top_level_marks + operation_marks * operations + marksIn(canonicalJson(work.unit)) };
}

/** A warm start is a list of job numbers of up to three digits. */
export const scheduleSize: SizeBounds<ScheduleWork> = {
  result,
  warmStart: () => ({ bytes: 20 + 4 * operations_max, marks: 2 }),
};
