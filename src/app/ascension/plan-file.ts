/** Files of jobs and of plans: read strictly, compiled, checked. */
import * as E from 'fp-ts/lib/Either.js';
import { fromUtf8 } from '../../base/bytes.js';
import { parseJsonNode, type JsonNode } from '../../base/json-parse.js';
import { ascension_jobs_bytes_max, ascension_plan_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { ok, type Result } from '../../base/result.js';
import { integerMembers, jobsCodec, planCodec, type JobSpec, type Plan } from '../../codec/ascension.js';
import { decode } from '../../codec/kit.js';
import { compilePlan, planFault, planText } from '../../domain/ascension/plan.js';
import { createFile, fileError, readInput } from '../../home/files.js';

export const readable_by_all = 0o644;
export const not_canonical = 'the file is not canonical JSON: spacing, order, spelling or a newline at the end';

export interface PlanReport {
  /** The plan's file. */
  readonly output: string;
  readonly valid: boolean;
  readonly planRoot: string;
  readonly jobs: number;
  /** In the token's smallest unit. */
  readonly totalBounty: string;
  /** What is wrong with it. */
  readonly reason: string | null;
}

/** Compiles a file of jobs into a new file; an existing one is never overwritten. */
export function compilePlanFile(jobs: string, output: string): Result<PlanReport> {
  const specs = readJobs(jobs);
  if (E.isLeft(specs)) return specs;
  const plan = compilePlan(specs.right);
  try {
    createFile(output, Buffer.from(planText(plan)), readable_by_all);
  } catch (error) {
    throw fileError(error, output);
  }
  return ok(reportOf(output, plan, null));
}

/** Compiles a plan's jobs again and compares every byte. */
export function checkPlanFile(file: string): Result<PlanReport> {
  return E.map((read: ReadPlan) => reportOf(file, read.plan, read.fault))(readPlan(file));
}

const reportOf = (output: string, plan: Plan, reason: string | null): PlanReport => ({
  output,
  valid: reason === null,
  planRoot: plan.planRoot,
  jobs: plan.jobs.length,
  totalBounty: plan.totalBounty,
  reason,
});

function readJobs(file: string): Result<readonly JobSpec[]> {
  const node = parseFile(file, ascension_jobs_bytes_max);
  if (E.isLeft(node)) return node;
  const specs = decode(jobsCodec, node.right.node.value);
  if (E.isLeft(specs)) return specs;
  for (const [i, job] of (node.right.node.items ?? []).entries()) {
    for (const name of integerMembers) {
      if (!isPlainInteger(job.members?.get(name), node.right.text))
        return E.left(invalid(`[${i}].${name}`, 'must be written as an integer, in digits alone'));
    }
  }
  return specs;
}

const isPlainInteger = (node: JsonNode | undefined, text: string): boolean =>
  node !== undefined && /^[0-9]+$/.test(text.slice(node.start, node.end));

export interface ReadPlan {
  readonly plan: Plan;
  /** Why it is not the plan of its jobs, or null. */
  readonly fault: string | null;
}

export function readPlan(file: string): Result<ReadPlan> {
  const read = parseFile(file, ascension_plan_bytes_max);
  if (E.isLeft(read)) return read;
  const { node, text } = read.right;
  return E.map((plan: Plan) => ({ plan, fault: planFault(plan) ?? formFault(plan, text) }))(decode(planCodec, node.value));
}

const formFault = (plan: Plan, text: string): string | null => (planText(plan) === text ? null : not_canonical);

function parseFile(file: string, bytes_max: number): Result<{ readonly node: JsonNode; readonly text: string }> {
  const text = fromUtf8(readInput(file, bytes_max));
  if (text === null) return E.left({ code: 'malformed', detail: `${file} is not UTF-8` });
  return E.map((node: JsonNode) => ({ node, text }))(parseJsonNode(text));
}
