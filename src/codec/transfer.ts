/** The spec of a transfer experiment: training values of one mandate, tasks of the next, and the modelled costs. */
import type * as t from 'io-ts';
import {
  transfer_heldout_max,
  transfer_heldout_min,
  transfer_id_chars_max,
  transfer_observed_max,
  transfer_observed_min,
  transfer_rate_milli_max,
  transfer_seed_max,
  transfer_tasks_max,
  transfer_tasks_min,
  transfer_training_max,
  transfer_training_min,
  transfer_value_abs_max,
} from '../base/limits.js';
import type { FieldError } from '../base/refusal.js';
import { CheckedType, choice, flag, integer, list, object, required, type ListType } from './kit.js';

export const protocol = 'agialpha.transfer.v1';
export const specSchema = `${protocol}.spec`;
export const scenarios = ['seasonal', 'shift', 'ablation', 'custom'] as const;
/** Scenarios whose series follow from the seed. */
export const builtInScenarios = ['seasonal', 'shift', 'ablation'] as const;
export type BuiltIn = (typeof builtInScenarios)[number];

export const seedCodec = integer(1, transfer_seed_max);

const series = (min: number, max: number): ListType<number> =>
  list(integer(-transfer_value_abs_max, transfer_value_abs_max), min, max);
const rate = integer(0, transfer_rate_milli_max);

const ascii = /^\p{ASCII}+$/u;
const isId = (u: unknown): u is string => typeof u === 'string' && u.length <= transfer_id_chars_max && ascii.test(u);
export const idCodec = new CheckedType('id', isId, () => `must be a string of 1 to ${transfer_id_chars_max} ASCII characters`);

const task = object('TransferTask', {
  id: required(idCodec),
  observed: required(series(transfer_observed_min, transfer_observed_max)),
  heldout: required(series(transfer_heldout_min, transfer_heldout_max)),
});
export type TransferTask = t.TypeOf<typeof task>;

interface Series {
  readonly training: readonly number[];
  readonly tasks: readonly TransferTask[];
}

/** Ids are unique, and no task repeats the training values or another task's. */
function repetitions({ training, tasks }: Series): FieldError[] {
  const ids = new Set<string>();
  const contents = new Set([training.join()]);
  return tasks.flatMap(({ id, observed, heldout }, i) => {
    const content = [...observed, ...heldout].join();
    const errors: FieldError[] = [];
    if (ids.has(id)) errors.push({ path: `tasks[${i}].id`, message: 'repeats the id of another task' });
    if (contents.has(content))
      errors.push({ path: `tasks[${i}]`, message: 'repeats the values of the training or of another task' });
    ids.add(id);
    contents.add(content);
    return errors;
  });
}

/** Values are in units; costs and the risk limit in thousandths of a unit. */
export const specCodec = object(
  'TransferSpec',
  {
    schema: required(choice(specSchema)),
    scenario: required(choice(...scenarios)),
    seed: required(seedCodec),
    training: required(series(transfer_training_min, transfer_training_max)),
    tasks: required(list(task, transfer_tasks_min, transfer_tasks_max)),
    archive_enabled: required(flag),
    call_cost_milli: required(rate),
    human_cost_milli_per_second: required(rate),
    coordination_cost_milli: required(rate),
    risk_limit_milli: required(rate),
  },
  repetitions,
);
export type TransferSpec = t.TypeOf<typeof specCodec>;
