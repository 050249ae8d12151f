/** `ascension-deliver`: writes approved missions bound to jobs of a plan, one file each, all or none. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { invalid, RefusalError } from '../../base/refusal.js';
import type { Plan } from '../../codec/ascension.js';
import { planText } from '../../domain/ascension.js';
import { fileError, fsyncDirectory, placeDirectory, createOutput } from '../../home/files.js';
import { approvedMissionsWithGoal } from '../../tables/missions.js';
import type { Db } from '../../store/database.js';
import { exportText } from '../exports/export.js';
import type { Home } from '../home/home.js';
import { makeStaging, removeAbandoned } from '../home/staging.js';
import { requireMission } from '../missions/record.js';
import { requireTool, toolWarnings } from '../tools/tools.js';
import { deliveryText, judgeDelivery, readDelivery, resultHashOf } from './delivery.js';
import { readPlan } from './plan-file.js';

/** Number of missions that a refusal lists. */
const ascension_missions_shown_max = 10;

export interface DeliverOptions {
  readonly plan: string;
  /** The indexes of jobs, or all jobs of the plan. */
  readonly jobs: readonly number[] | 'all';
  /** The mission of a single job; when absent, the mission is found by the job's goal. */
  readonly mission?: string | undefined;
  /** The output: a file for one index, a new directory for several or all. */
  readonly output: string;
}

interface DeliveryRecord {
  readonly output: string;
  readonly jobIndex: number;
  readonly mission: string;
  /** keccak256 of the file. */
  readonly resultHash: string;
}

export interface DeliverReport extends Partial<Omit<DeliveryRecord, 'output'>> {
  readonly output: string;
  readonly planRoot: string;
  readonly deliveries: readonly DeliveryRecord[];
  readonly warnings: readonly string[];
}

type Work = Pick<DeliveryRecord, 'jobIndex' | 'mission'>;

export async function deliver(home: Home, options: DeliverOptions): Promise<DeliverReport> {
  const { output } = options;
  // A delivery holds an export, so the status of both tools matters. The export's own warnings about the reference agent concern
  // exports only.
  const warnings = [...requireTool(home.db, 'ascension_deliver'), ...toolWarnings(home.db, 'export')];
  const { plan, fault } = readPlan(options.plan);
  if (fault !== null) throw new RefusalError('verification_failed', `${options.plan}: ${fault}`);
  const works = choose(home, plan, options);
  const [first] = works;
  const { planRoot } = plan;
  if (options.jobs !== 'all' && works.length === 1 && first !== undefined) {
    const delivered = await write(home, plan, first, output, output);
    return { ...delivered, planRoot, deliveries: [delivered], warnings };
  }
  const made = await wholeDirectory(output, async (directory) => {
    const written: DeliveryRecord[] = [];
    for (const work of works) {
      const name = `job-${String(work.jobIndex).padStart(3, '0')}.json`;
      written.push(await write(home, plan, work, path.join(directory, name), path.join(output, name)));
    }
    return written;
  });
  return { output, planRoot, deliveries: made, warnings };
}

/** Chooses the mission for each job, before anything is written. */
function choose(home: Home, plan: Plan, { jobs, mission }: DeliverOptions): readonly Work[] {
  const indexes = jobs === 'all' ? plan.jobs.map(({ index }) => index) : jobs;
  if (mission !== undefined && (jobs === 'all' || indexes.length !== 1))
    throw new RefusalError(invalid('mission', 'is for a single --index; several jobs find theirs with --find-mission'));
  const works: Work[] = [];
  for (const jobIndex of indexes) {
    const job = plan.jobs[jobIndex];
    if (job === undefined) throw new RefusalError(invalid('index', `the plan has jobs 0 to ${plan.jobs.length - 1}`));
    if (works.some((work) => work.jobIndex === jobIndex))
      throw new RefusalError(invalid('index', `job ${jobIndex} is named twice`));
    const chosen =
      mission === undefined ? findMission(home.db, jobIndex, job.spec.goal) : withGoal(home, mission, jobIndex, job.spec.goal);
    works.push({ jobIndex, mission: chosen });
  }
  return works;
}

function withGoal(home: Home, id: string, jobIndex: number, goal: string): string {
  if (requireMission(home.db, id).goal === goal) return id;
  throw new RefusalError('conflict', `the goal of mission ${id} is not that of job ${jobIndex}, letter by letter`, {
    hint: `agent-cli show ${id}`,
  });
}

/** Builds a delivery, verifies it as its reader will, and writes it to `file`; `output` is its final path. */
async function write(home: Home, plan: Plan, { jobIndex, mission }: Work, file: string, output: string): Promise<DeliveryRecord> {
  const { signer } = home;
  const exported = exportText(home, mission, { withoutSettlement: true });
  const text = deliveryText(signer, { jobIndex, exported: exported.text.trimEnd(), plan: planText(plan) });
  const read = readDelivery(text);
  const { reason } = await judgeDelivery(read, signer.publicKey, plan.planRoot);
  if (reason !== null)
    throw new RefusalError('integrity', `the delivery of mission ${mission} would not verify: ${reason}`, {
      hint: 'agent-cli verify --deep',
    });
  createOutput(file, text, output);
  return { output, jobIndex, mission, resultHash: resultHashOf(text) };
}

const directory_mode = 0o755;

/** Fills a directory under a temporary name and renames it once all of it is on disk; a failure leaves nothing. */
async function wholeDirectory<A>(output: string, fill: (directory: string) => Promise<A>): Promise<A> {
  const target = path.resolve(output);
  if (fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    throw new RefusalError('exists', `${output} exists already and is never overwritten`);
  try {
    fs.statSync(path.dirname(target));
  } catch (error) {
    throw fileError(error, output);
  }
  removeAbandoned(target);
  const staging = makeStaging(target);
  const whole = staging.file('whole');
  try {
    fs.mkdirSync(whole, { mode: directory_mode });
    const made = await fill(whole);
    fsyncDirectory(whole);
    placeDirectory(whole, target);
    return made;
  } catch (error) {
    throw fileError(error, output);
  } finally {
    staging.remove();
  }
}

/**
 * Returns the id of the only completed mission with exactly this goal.
 * @throws RefusalError `not_found` for none, `conflict` for several
 */
export function findMission(db: Db, jobIndex: number, goal: string): string {
  const ids = approvedMissionsWithGoal(db, goal).map(({ id }) => id);
  const [id] = ids;
  if (id === undefined)
    throw new RefusalError('not_found', `no approved mission has the goal of job ${jobIndex}`, {
      facts: { jobIndex },
      hint: 'agent-cli list --state completed',
    });
  if (ids.length === 1) return id;
  const missions = ids.slice(0, ascension_missions_shown_max);
  const more = ids.length > missions.length ? ` and ${ids.length - missions.length} more` : '';
  throw new RefusalError(
    'conflict',
    `${ids.length} approved missions have the goal of job ${jobIndex}: ${missions.join(', ')}${more}; deliver job ${jobIndex} separately with --index ${jobIndex} --mission ID`,
    { facts: { jobIndex, missions } },
  );
}
