/** The built-in scenarios: public synthetic series that follow from the seed. */
import { specSchema, type BuiltIn, type TransferSpec, type TransferTask } from '../../codec/transfer.js';

const pattern = [6, 21, -8, 32, -17] as const;
const training_values = 40;
const tasks_count = 4;
const task_values = 14;
const observed_values = 6;

const patternAt = (i: number): number => pattern[i % pattern.length] ?? 0;
const indices = (length: number): number[] => Array.from({ length }, (_, i) => i);

/**
 * Returns the spec of a scenario. `shift` changes from the pattern to straight lines; `ablation` is `seasonal` without the
 * archive. @param seed 1 to 9999
 */
export const builtInSpec = (scenario: BuiltIn, seed: number): TransferSpec => ({
  schema: specSchema,
  scenario,
  seed,
  training: indices(training_values).map((i) => 80 + 2 * patternAt(i)),
  tasks: indices(tasks_count).map((n) => taskOf(scenario, seed, n)),
  archive_enabled: scenario !== 'ablation',
  call_cost_milli: 20,
  human_cost_milli_per_second: 10,
  coordination_cost_milli: 1_000,
  risk_limit_milli: 100_000,
});

function taskOf(scenario: BuiltIn, seed: number, n: number): TransferTask {
  const phase = (seed + n) % pattern.length;
  const level = 120 + (seed % 17) + 11 * n;
  const values = indices(task_values).map((t) =>
    scenario === 'shift' ? 80 + 11 * n + t * (n + 3) : level + patternAt(t + phase) * (n + 1),
  );
  return { id: `future-${seed}-${n + 1}`, observed: values.slice(0, observed_values), heldout: values.slice(observed_values) };
}
