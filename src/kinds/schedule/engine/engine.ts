/**
 * Job-shop scheduling: minimise the makespan or the weighted tardiness of jobs whose operations visit machines in a fixed
 * order, one at a time on each machine, without interruption; with release and due dates, weights and repeated visits.
 * One unit of effort buys 100 tabu iterations; `population` is the size of the elite, `generations` is not used.
 */
import { ok, type Result } from '../../../base/result.js';
import type { ScheduleWork } from '../work.js';
import type { Answer, Checkpoint, Engine, EngineInput } from '../../../engines/engine.js';
import { iterations_per_unit } from '../constants.js';
import { lowerBound } from './bounds.js';
import { loadOrder, newPlan } from './plan.js';
import { resultOf } from './result.js';
import type { ScheduleResult } from '../result.js';
import { search } from './search.js';
import { type Shop, shopOf } from './shop.js';
import type { Meter } from './tabu.js';
import { decode, encode } from './warm-start.js';

const population_min = 2;
/** The number of operations visited between two checkpoints: a few milliseconds of work. */
const checkpoint_operations = 65_536;
const stride_max = 2_048;
/** Weighted tardiness tries several moves in a step, each over a part of the shop. */
const trials_per_step = 8;

export const scheduleEngine: Engine<ScheduleWork, ScheduleResult> = {
  name: 'schedule',
  version: '1',
  run,
};

function run(input: EngineInput<ScheduleWork>, checkpoint: Checkpoint): Result<Answer<ScheduleResult>> {
  const shop = shopOf(input.work);
  const meter = meterOf(shop, input.effort.max_evaluations * iterations_per_unit, checkpoint);
  checkpoint(0);
  const bound = lowerBound(shop);
  checkpoint(0);
  const solution = search({
    shop,
    seed: input.seed,
    population: Math.max(population_min, input.population),
    meter,
    target: bound,
    warm: decode(shop, input.warm_start),
  });
  checkpoint(1);
  const plan = newPlan(shop);
  loadOrder(plan, solution.order);
  const result = resultOf(input.work, shop, { order: solution.order, bound, iterations: meter.done });
  return ok({ result, iterations: meter.done, solution: encode(plan) });
}

function meterOf(shop: Shop, most: number, checkpoint: Checkpoint): Meter {
  const trials = shop.objective === 'makespan' ? 1 : trials_per_step;
  const stride = Math.min(stride_max, Math.max(1, Math.floor(checkpoint_operations / (shop.operations * trials))));
  let left = 0;
  const meter: Meter = {
    done: 0,
    most,
    tick: () => {
      if (left-- <= 0) meter.pulse();
    },
    pulse: () => {
      left = stride - 1;
      checkpoint(most > 0 ? meter.done / most : 1);
    },
  };
  return meter;
}
