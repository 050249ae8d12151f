/**
 * Re-checks a schedule result against its mission without the engine. Every number and text is recomputed or compared; only
 * `iterations` is merely bounded by the effort. A schedule in which an operation could start earlier in its machine's order is
 * refused too, because the engine never returns one.
 */
import type { EngineInput, Verification } from '../../../engines/engine.js';
import {
  iterationsPerEvaluation,
  iterationsText,
  methodText,
  price_periods_max,
  tree_units_max,
  treeCharsMax,
} from '../constants.js';
import type { ScheduleWork } from '../work.js';
import { boundOf } from './bounds.js';
import { checksOf, differs, judge } from './checks.js';
import { pricedBound } from './prices.js';
import { refutationFault } from './refutation.js';
import { type Claim, readClaim } from './shape.js';

/** The verifier may visit machines in another order than the engine did, more often, and counts every visit in full. */
const allowance = 10;
/** The memory of the nodes above the current one of a certificate's tree. */
const tree_bytes_max = 268_435_456;

export function verifySchedule({ work, effort }: EngineInput<ScheduleWork>, result: unknown): Verification {
  const checks = checksOf<Claim>(work, {
    method: methodText(work.objective),
    bound: {
      words: 'the lower bound follows from single jobs and machines, or from the certificate',
      fault: (claim) => boundFault(work, claim),
    },
    proofFault,
    effortFault: (claim) => effortFault(work, claim, effort.max_evaluations),
  });
  return judge(readClaim(result), checks);
}

/** A certificate must raise the bound; without one the bound is that of single jobs and machines. */
function boundFault(work: ScheduleWork, { lower_bound, certificate }: Claim): string | null {
  const simple = boundOf(work);
  if (certificate === null) return differs('lower_bound', lower_bound, simple);
  if (lower_bound <= simple) return `the certificate is for ${lower_bound}, single jobs and machines give ${simple}`;
  if ('prices' in certificate) {
    if (certificate.prices.length > price_periods_max) return 'the certificate has too many prices';
    const bound = pricedBound(work, certificate);
    return typeof bound === 'string' ? bound : differs('lower_bound', lower_bound, bound);
  }
  const { refutation } = certificate;
  if (refutation.length > treeCharsMax(operationsOf(work))) return 'the certificate is too long';
  return refutationFault(work, lower_bound - 1, refutation, { units: allowance * tree_units_max, bytes: tree_bytes_max });
}

const operationsOf = (work: ScheduleWork): number => work.jobs.reduce((sum, job) => sum + job.operations.length, 0);

/** A search that ended can only be repeated; it is claimed where the bound does not show the same. */
function proofFault(proof: unknown, isTight: boolean): string | null {
  if (isTight) return differs('optimality_proven', proof, 'bound');
  return proof === 'search' || proof === false ? null : 'optimality_proven must be "search" or false above the lower bound';
}

function effortFault(work: ScheduleWork, claim: Claim, evaluationsMax: number): string | null {
  const most = evaluationsMax * iterationsPerEvaluation(work.objective, operationsOf(work));
  if (claim.iterations < 0 || claim.iterations > most) return `iterations is ${claim.iterations}, the effort buys ${most}`;
  return (
    differs('iterations_max', claim.iterations_max, most) ??
    differs('iterations_formula', claim.iterations_formula, iterationsText(work.objective))
  );
}
