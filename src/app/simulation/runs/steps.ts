/** The steps of one run on its thread. */
import { sha256Hex } from '../../../base/bytes.js';
import { inline_value_bytes_max } from '../../../base/limits.js';
import { canonicalOutcome } from '../../../codec/simulation-results.js';
import { research, type Research, search, type SearchOutcome } from '../../../engines/simulation/engine.js';
import { outcomeOf, valuationOf } from '../../../engines/simulation/outcome.js';
import { salted } from '../../../journal/salted.js';
import type { TaskWatch } from '../../threads/watched-thread.js';
import { searchInGroups } from '../islands/search.js';
import type { ThreadTask } from '../islands/threads.js';
import { checkOutcome } from './outcome.js';
import type { RunEnd, RunNews } from './thread.js';

type StepWatch = Pick<TaskWatch<RunNews>, 'mustStop' | 'alive' | 'checkpoint' | 'isBackground' | 'tell'>;

const report_ms = 20;

/** Executes one step each time that it goes on, in the order of `thread_stages`; the last one gives the end of the run. */
export async function* stepsOf(task: ThreadTask, watch: StepWatch): AsyncGenerator<null, RunEnd, undefined> {
  const { alive } = watch;
  // The scenario without effort: the curve and its draws, the sectors' paths, the years of disruption.
  const found = research(task.request, alive);
  watch.tell({ type: 'years', affected: found.affected });
  yield null;
  const { model, islands } = await searched(found, task, watch);
  yield null;
  // The values of each individual as printed, the dominance relation, and the dominated hypervolume.
  const valued = valuationOf(model, islands, alive);
  yield null;
  const { scenario, paths, forecast, probability } = found;
  const text = canonicalOutcome(outcomeOf(scenario, paths, { forecast, probability, names: task.islands, ...valued }));
  yield null;
  const reason = checkOutcome(text, task, alive);
  if (reason !== null) return { type: 'refuted', reason };
  alive();
  const outcome_hash = sha256Hex(text);
  if (text.length <= inline_value_bytes_max) return { type: 'answered', text, outcome_hash };
  const bytes = new TextEncoder().encode(text);
  return { type: 'answered', text: bytes, outcome_hash, salted: salted(bytes) };
}

/** @throws Stopped when the run must end */
async function searched(found: Research, task: ThreadTask, watch: StepWatch): Promise<SearchOutcome> {
  const { request, islands, groups } = task;
  let reportedAt = 0;
  let done = 0;
  const onGeneration = (generation: number): void => {
    const now = performance.now();
    if (generation < request.generations && now - reportedAt < report_ms) return;
    reportedAt = now;
    watch.tell({ type: 'generation', generation, done });
  };
  const checkpoint = (share: number): void => {
    watch.checkpoint();
    done = share;
  };
  const together = (generation: number): void => {
    done = generation / request.generations;
    onGeneration(generation);
  };
  return groups.length > 1 || groups.some(({ queue }) => queue !== null)
    ? searchInGroups(found, task, {
        ...watch,
        onGeneration: together,
        onWorker: (notice) => watch.tell({ type: 'worker', notice }),
      })
    : search(found, islands, { checkpoint, onGeneration, alive: watch.alive });
}
