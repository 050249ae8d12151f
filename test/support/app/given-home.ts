/** Missions in a temporary home: small files of each kind, and the steps of a mission's life by the functions that commands use. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { type Refusal, type RefusalCode, RefusalError } from '../../../src/base/refusal.js';
import type { MissionRecord } from '../../../src/codec/api-missions.js';
import { configure, pause, resume } from '../../../src/app/control/control.js';
import type { EngineAnswer, EngineTask, RunEngine } from '../../../src/app/threads/engine-thread.js';
import { runAttempt, executeMission, type ExecuteOptions } from '../../../src/app/missions/attempt.js';
import { takeLease } from '../../../src/app/missions/lease.js';
import { directly } from '../../../src/app/orchestrator/orchestrator.js';
import type { Home } from '../../../src/app/home/home.js';
import { showMission } from '../../../src/app/missions/missions.js';
import { reviewMission, type ReviewOptions } from '../../../src/app/missions/review.js';
import { without_objective } from '../../../src/kinds/improvement.js';
import { readMissionFile, submitMission } from '../../../src/app/missions/submit.js';

export const actor = 'operator';

/** A forecast that an engine computes at once; `work` adds members or takes their place. */
export const forecast = (goal = 'try', length = 12, work: object = {}): Record<string, unknown> => ({
  goal,
  work: { kind: 'forecast', observations: Array.from({ length }, (_, i) => (i * 7) % 5), horizon: 1, holdout: 2, ...work },
});

/** Two jobs on two machines. */
export const schedule = (goal = 'plan', ids: readonly string[] = ['a', 'b']): Record<string, unknown> => ({
  goal,
  work: {
    kind: 'schedule',
    jobs: ids.map((id) => ({
      id,
      operations: [
        { machine: 'm1', duration: 3 },
        { machine: 'm2', duration: 2 },
      ],
    })),
  },
});

export const research = (goal = 'tides', text = 'High water is at six. Tides follow the moon.'): Record<string, unknown> => ({
  goal,
  work: { kind: 'research', sources: [{ id: 's1', title: 'Tide tables', text }] },
});

let files = 0;

/** Writes a value as JSON to a new file beside the homes; returns its path. */
export function jsonFile(root: string, value: unknown): string {
  const file = join(root, `file-${++files}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** The folder that holds a home's directory. */
const rootOf = (home: Home): string => join(home.paths.directory, '..');

export const run = async (home: Home, mission: unknown, requestId?: string): Promise<MissionRecord> =>
  (await submitMission(home, readMissionFile(jsonFile(rootOf(home), mission)).request, requestId, actor)).record;

export const queued = async (home: Home, mission: unknown = forecast(), requestId?: string): Promise<MissionRecord> =>
  run(home, mission, requestId);

/** Applies a configuration: pause, configure, resume. */
export async function apply(home: Home, config: unknown): Promise<void> {
  await pause(home, actor);
  await configure(home, jsonFile(rootOf(home), config), actor);
  await resume(home, actor);
}

/** A result of a fake engine that says how often it was asked. */
export const fakeResult = (goal: string, attempt = 1): Record<string, unknown> => ({ method: 'fake', goal, attempt });

export const answered = (result: unknown): Extract<EngineAnswer, { type: 'answered' }> => ({
  type: 'answered',
  result,
  iterations: 1,
  solution: null,
  verification: { passed: true, checks: ['fake'], failure: null },
  improvement: without_objective,
  result_hash: sha256Hex(canonicalJson(result)),
});

/** Verifies everything, and returns for a run what `act` returns. */
export const fakeEngine =
  (
    act: (task: EngineTask) => EngineAnswer | Promise<EngineAnswer> = (task) => answered(fakeResult(task.input.goal)),
  ): RunEngine =>
  async (task) => {
    if (task.type === 'run') return act(task);
    const { verification, result_hash } = answered(task.result);
    return { type: 'verified', verification, result_hash };
  };

export const execute = (home: Home, id: string, options: Partial<ExecuteOptions> = {}): Promise<MissionRecord> =>
  executeMission(home, id, { actor, ...options });

/**
 * Executes a mission whose engine never returns; settles once that is at work. With `killed` its process is then as good as killed:
 * nobody holds the attempt's lock, whose file is left.
 */
export const leftRunning = (home: Home, id: string, { killed = false } = {}): Promise<void> =>
  new Promise((begun, reject) => {
    const work = async (): Promise<never> => {
      const leased = await takeLease(home, id, { actor });
      const runEngine: RunEngine = () => {
        if (killed) leased.lock.release();
        begun();
        return new Promise(() => undefined);
      };
      throw new Error(`ended: ${JSON.stringify(await runAttempt(home, leased, { actor, runEngine, runStage: directly }))}`);
    };
    work().catch(reject);
  });

/** The mission in review, made by the fake engine unless another is given; `real` for the thread. */
export async function produced(
  home: Home,
  mission: unknown = forecast(),
  engine: RunEngine | 'real' = fakeEngine(),
): Promise<MissionRecord> {
  const { id } = await queued(home, mission);
  return execute(home, id, engine === 'real' ? {} : { runEngine: engine });
}

export const review = (home: Home, mission: MissionRecord, changes: Partial<ReviewOptions> = {}): Promise<MissionRecord> =>
  reviewMission(home, mission.id, {
    revision: mission.revision,
    result_hash: mission.result_hash ?? '',
    approve: true,
    note: 'checked',
    actor,
    ...changes,
  });

/** A completed mission made and verified by the real engine. */
export const completed = async (home: Home, mission: unknown): Promise<MissionRecord> =>
  review(home, await produced(home, mission, 'real'));

export const stateOf = (home: Home, id: string): string => showMission(home, id).state;

/** Returns the refusal that a call throws, or fails the test when it throws none or one of another code. */
export const throwsRefusal = (call: () => unknown, code: RefusalCode): Refusal => ofCode(refusalOf(call), code);

/** Returns the refusal that a promise rejects with, or fails the test when it fulfils or the code is another. */
export const rejectsRefusal = async (outcome: Promise<unknown>, code: RefusalCode): Promise<Refusal> =>
  ofCode(await laterRefusalOf(() => outcome), code);

function ofCode(refusal: Refusal | null, code: RefusalCode): Refusal {
  if (refusal === null) assert.fail('not refused');
  assert.equal(refusal.code, code, refusal.detail);
  return refusal;
}

/** Returns what a call refuses; null when it passes. */
export function refusalOf(call: () => unknown): Refusal | null {
  try {
    call();
    return null;
  } catch (error) {
    return refusalIn(error);
  }
}

/** Returns what an asynchronous call refuses; null when it passes. */
export async function laterRefusalOf(call: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return refusalIn(error);
  }
}

/** Returns what an asynchronous call gives, or words for its refusal: its code by default. */
export async function orRefusal<A>(call: () => Promise<A>, inWords = ({ code }: Refusal): string => code): Promise<A | string> {
  try {
    return await call();
  } catch (error) {
    return inWords(refusalIn(error));
  }
}

/** @throws whatever is no refusal */
function refusalIn(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  throw error;
}
