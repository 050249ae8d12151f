/** Reads files of jobs and of plans strictly, compiles jobs into a plan, and checks plans. */
import { type JsonNode, parseJsonNode } from '../../base/json.js';
import { invalid, RefusalError, unwrap } from '../../base/refusal.js';
import { integerMembers, jobsCodec, type JobSpec, type Plan, planCodec } from '../../codec/ascension.js';
import { decode } from '../../codec/kit.js';
import { compilePlan, planFault, planText } from '../../domain/ascension.js';
import { createOutput, ofFile, readInputText } from '../../home/files.js';

const ascension_jobs_bytes_max = 250_000;
/** Enough for the job file, and a leaf and seven siblings for each of 128 jobs. */
export const ascension_plan_bytes_max = 400_000;

export const not_canonical = 'the file is not canonical JSON: spacing, order, spelling or a newline at the end';

export type PlanReport = Readonly<ReturnType<typeof reportOf>>;

/** Compiles a file of jobs into a new file; an existing file is never overwritten. */
export function compilePlanFile(jobs: string, output: string): PlanReport {
  const plan = compilePlan(readJobs(jobs));
  createOutput(output, planText(plan));
  return reportOf(output, plan, null);
}

/** Compiles a plan's jobs again and compares every byte. */
export function checkPlanFile(file: string): PlanReport {
  const { plan, fault } = readPlan(file);
  return reportOf(file, plan, fault);
}

const reportOf = (output: string, plan: Plan, reason: string | null) => ({
  /** The plan's file. */
  output,
  valid: reason === null,
  planRoot: plan.planRoot,
  jobs: plan.jobs.length,
  /** The total bounty in the token's smallest unit. */
  totalBounty: plan.totalBounty,
  /** The fault of the plan, or null. */
  reason,
});

function readJobs(file: string): readonly JobSpec[] {
  const { node, text } = parseFile(file, ascension_jobs_bytes_max);
  const specs = ofFile(file, () => unwrap(decode(jobsCodec, node.value)));
  for (const [i, job] of (node.items ?? []).entries()) {
    for (const name of integerMembers) {
      if (!isPlainInteger(job.members?.get(name), text))
        throw new RefusalError(invalid(`[${i}].${name}`, 'must be written as an integer, with digits only'));
    }
  }
  return specs;
}

const isPlainInteger = (node: JsonNode | undefined, text: string): boolean =>
  node !== undefined && /^[0-9]+$/.test(text.slice(node.start, node.end));

/**
 * Returns a plan, and why it is not the plan of its jobs, or null. @throws RefusalError for a file that does not have the form of a plan
 */
export function readPlan(file: string) {
  const { node, text } = parseFile(file, ascension_plan_bytes_max);
  const plan = ofFile(file, () => unwrap(decode(planCodec, node.value)));
  return { plan, fault: planFault(plan) ?? formFault(plan, text) };
}

const formFault = (plan: Plan, text: string): string | null => (planText(plan) === text ? null : not_canonical);

function parseFile(file: string, bytes_max: number): { readonly node: JsonNode; readonly text: string } {
  const text = readInputText(file, bytes_max);
  return { node: ofFile(file, () => unwrap(parseJsonNode(text))), text };
}
