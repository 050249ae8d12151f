/** Re-checks a result that version 1 of the engine made: its bound came from single jobs and machines alone. */
import type { EngineInput, Verification } from '../../../../engines/engine.js';
import type { ScheduleWork } from '../../work.js';
import { boundOf } from '../bounds.js';
import { checksOf, differs, judge } from '../checks.js';
import { type FormerClaim, readFormerClaim } from '../shape.js';

/** The tabu iterations that one evaluation bought, whatever the size of the shop. */
const iterations_per_evaluation = 100;

export function verifyVersion1({ work, effort }: EngineInput<ScheduleWork>, result: unknown): Verification {
  const most = effort.max_evaluations * iterations_per_evaluation;
  const checks = checksOf<FormerClaim>(work, {
    method: `Giffler-Thompson schedules, tabu search on critical blocks, path relinking; objective ${work.objective}`,
    bound: {
      words: 'the lower bound follows from single jobs and machines',
      fault: ({ lower_bound }) => differs('lower_bound', lower_bound, boundOf(work)),
    },
    proofFault: (proof, isTight) => differs('optimality_proven', proof, isTight ? 'bound' : false),
    effortFault: ({ iterations }) =>
      iterations >= 0 && iterations <= most ? null : `iterations is ${iterations}, the effort buys ${most}`,
  });
  return judge(readFormerClaim(result), checks);
}
