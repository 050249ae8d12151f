/**
 * Executes a mission from the command line. Beside a daemon the command records the request and follows, and Ctrl-C only stops following; without one,
 * and for a code mission beside a daemon that runs none, it waits for a place and does the work itself, and Ctrl-C stops that at the next checkpoint and records a failure.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import type { Home } from '../app/home/home.js';
import { damageRefusal } from '../base/damage.js';
import { RecordedFault, type Refusal, RefusalError } from '../base/refusal.js';
import type { MissionRecord } from '../codec/api-missions.js';
import { stateWords } from '../codec/record.js';
import { watching } from './command.js';
import { untilInterrupted } from '../base/interrupt.js';
import { overall, withProgress } from './progress.js';
import type { MissionRequest } from '../kinds/request.js';
import type { MissionInput } from './queue.js';
import { estimatePairs, isSettled } from './render.js';
import { printWarnings } from './warnings.js';

/** Time for the daemon to start a mission, before the mission is said to wait. */
const start_ms = 300;

interface ExecuteReport extends MissionRecord {
  readonly warnings?: readonly string[];
}

export const waitFlag = Flags.boolean({
  description:
    'wait until the execution has ended; --no-wait leaves it to the daemon, or if none runs is refused while no place is free',
  allowNo: true,
});

export interface ExecuteOptions {
  readonly actor: string;
  /** Whether the progress, the place in the queue and warnings go to standard error. */
  readonly visible: boolean;
  readonly waits: boolean;
}

/** Executes a mission. Without `visible`, warnings go only to the record's `warnings`, present if there are any. */
export async function execute(home: Home, id: string, options: ExecuteOptions): Promise<ExecuteReport> {
  const [{ isServed }, { daemonRunsCode }, { requireMission }] = await Promise.all([
    import('../app/home/upgrade.js'),
    import('../app/home/files.js'),
    import('../app/missions/record.js'),
  ]);
  if (options.visible) await tellEstimate(home, id);
  if (!isServed(home)) return executeHere(home, id, options);
  const isOurs = requireMission(home.db, id).kind === 'code' && !daemonRunsCode(home.paths.daemon);
  return isOurs && (await queueReason(home, id)) === null ? executeHere(home, id, options) : besideDaemon(home, id, options);
}

/** Says how long a mission will take, to who watches; to everybody where its search would end early. */
async function tellEstimate(home: Home, id: string): Promise<void> {
  const { showMission } = await import('../app/missions/missions.js');
  const mission = showMission(home, id);
  if (!process.stderr.isTTY && mission.estimate?.evaluations_in_time === undefined) return;
  for (const [name, text] of estimatePairs(mission)) writeLine(`${name} ${text}`);
}

/** Returns a function that tells people a mission's place in the queue when it changes, and why it cannot start. */
function placeTeller(id: string, visible: boolean): (place: number | undefined) => void {
  let told: number | undefined;
  return (place) => {
    if (visible && place !== undefined && place !== told) writeLine(`mission ${id} waits in the queue, place ${place}`);
    told = place;
  };
}

/** Writes a line in place of the progress bar, which is drawn again. */
const writeLine = (line: string): void => void process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${line}\n`);

async function besideDaemon(home: Home, id: string, { actor, visible, waits }: ExecuteOptions): Promise<ExecuteReport> {
  const [{ requestExecution, showMission }, { failureRefusal }, { failInterrupted }, { isServed }] = await Promise.all([
    import('../app/missions/missions.js'),
    import('../app/missions/attempt-record.js'),
    import('../app/missions/record.js'),
    import('../app/home/upgrade.js'),
  ]);
  const requested = await requestExecution(home, id, actor);
  if (!waits) return requested;
  const tellPlace = placeTeller(id, visible);
  // Where a place is free, the daemon starts it at once.
  await sleep(start_ms);
  await tellReason(home, id, visible);
  const seen = await withProgress(visible, (update) =>
    watching({
      read: async () => showMission(home, id),
      print: ({ queue_position, stages }) => {
        tellPlace(queue_position);
        const { label, done } = overall(stages.at(-1)?.role ?? 'planning', 1);
        if (queue_position === undefined) update(label, done);
      },
      isLast: (mission) => isSettled(mission) || mission.interrupted === true || !isServed(home),
    }),
  );
  // What a daemon recorded last, or could not record because it was killed, may be newer than what was seen.
  const ended = isSettled(seen) ? seen : await failInterrupted(home, id).then(() => showMission(home, id));
  if (ended.state === 'failed') throw new RefusalError(failureRefusal(ended));
  if (!isSettled(ended)) throw new RefusalError(stoppedFollowing(ended, isServed(home)));
  return ended;
}

/**
 * Says why a mission of the queue could not start now.
 * @throws RefusalError for what only a person changes; of a provider, or of workers, the environment of the daemon may know more
 */
async function tellReason(home: Home, id: string, visible: boolean): Promise<void> {
  const reason = await queueReason(home, id);
  if (reason === null) return;
  const detail = `mission ${id} cannot start now and is tried again every minute: ${reason.detail}`;
  if (reason.code === 'code_not_allowed' || reason.code === 'tool_disabled') throw new RefusalError({ ...reason, detail });
  if (visible) printWarnings([detail]);
}

/** Returns why a queued mission cannot start now, as a daemon of this home would find it; null where only a place is missing. */
export async function queueReason(home: Home, id: string): Promise<Refusal | null> {
  const { requireMission, requireRequest } = await import('../app/missions/record.js');
  const mission = requireMission(home.db, id);
  return mission.state === 'queued' ? refusalNow(home, requireRequest(home.db, mission)) : null;
}

async function refusalNow(home: Home, request: MissionRequest): Promise<Refusal | null> {
  const [{ requireExecutable }, { isServed }, { daemonRunsCode }] = await Promise.all([
    import('../app/missions/lease.js'),
    import('../app/home/upgrade.js'),
    import('../app/home/files.js'),
  ]);
  const refusal = await requireExecutable(home, request).then(
    () => null,
    (error: unknown) => {
      if (error instanceof RefusalError) return error.refusal;
      throw error;
    },
  );
  // A daemon that runs code has the image in its own environment.
  const isDaemons = refusal?.code === 'engine_unavailable' && isServed(home) && daemonRunsCode(home.paths.daemon);
  return isDaemons ? null : refusal;
}

const stoppedFollowing = ({ id, state }: MissionRecord, isDaemonThere: boolean): Refusal => ({
  code: 'interrupted',
  detail: isDaemonThere
    ? `stopped following; the daemon goes on, and mission ${id} is ${stateWords(state)}`
    : `the daemon has ended; mission ${id} is ${stateWords(state)}, and the next daemon of this home goes on with the queue`,
  hint: `agent-cli show ${id} --watch`,
});

async function executeHere(home: Home, id: string, { actor, visible, waits }: ExecuteOptions): Promise<ExecuteReport> {
  const { executeMission } = await import('../app/missions/attempt.js');
  const warnings: string[] = [];
  const onWarning = (message: string): void => {
    if (!visible) return void warnings.push(message);
    // Printed at once, because a full disk may be waited for; in place of the progress bar, which is drawn again.
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    printWarnings([message]);
  };
  const mission = await untilInterrupted((signal) =>
    withProgress(visible, (update) =>
      executeMission(home, id, {
        actor,
        signal,
        onProgress: (stage, share) => {
          const { label, done } = overall(stage, share);
          update(label, done);
        },
        onWarning,
        onWaiting: waits ? placeTeller(id, visible) : undefined,
      }),
    ),
  );
  return warnings.length === 0 ? mission : { ...mission, warnings };
}

/** What `run --execute` queues and executes. */
interface ToExecute extends MissionInput, ExecuteOptions {
  readonly requestId: string | undefined;
  /** Receives the mission once it is queued, before it executes. */
  readonly onQueued: (mission: MissionRecord) => void;
}

/**
 * Queues a mission and executes it. A mission that could not execute now is not queued; one that was queued before by the same request is
 * executed only while it is still queued.
 */
export async function queueAndExecute(home: Home, given: ToExecute): Promise<ExecuteReport> {
  const { request, queue, requestId, actor, onQueued } = given;
  const [{ isKnownMission, showMission }, { failInterrupted }] = await Promise.all([
    import('../app/missions/missions.js'),
    import('../app/missions/record.js'),
  ]);
  const refusal = requestId === undefined || !isKnownMission(home, requestId) ? await refusalNow(home, request) : null;
  if (refusal !== null) throw new RefusalError({ ...refusal, detail: `${refusal.detail}; the mission was not queued` });
  const queued = await queue(home, requestId, actor);
  onQueued(queued);
  if (queued.interrupted === true) return failInterrupted(home).then(() => showMission(home, queued.id));
  if (queued.state !== 'queued') return queued;
  try {
    return await execute(home, queued.id, given);
  } catch (error) {
    throw stillQueued(error, queued.id, () => showMission(home, queued.id).state);
  }
}

/** Returns the error, naming a mission that was queued but not executed, so that it is not queued a second time. */
function stillQueued(error: unknown, id: string, state: () => string): unknown {
  if (!(error instanceof RefusalError)) {
    const failed = `mission ${id} was queued, but its execution failed`;
    return damageRefusal(error) === null ? new RecordedFault(failed, `agent-cli show ${id}`, error) : error;
  }
  if (error.refusal.detail.includes(`mission ${id}`) || state() !== 'queued') return error;
  const { detail, hint, ...rest } = error.refusal;
  const next = `agent-cli execute ${id}`;
  return new RefusalError({
    ...rest,
    detail: `${detail}; mission ${id} stays queued`,
    hint: hint === undefined ? next : `${hint.replace(' and repeat the command', '')}, then ${next}`,
  });
}
