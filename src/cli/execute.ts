/** Executes a mission from the command line, with a progress bar; Ctrl-C stops at the next checkpoint and records a failure. */
import type { Home } from '../app/home/home.js';
import { RefusalError } from '../base/result.js';
import type { MissionRecord } from '../codec/api-missions.js';
import type { Read } from './queue.js';
import { overall, withProgress } from './progress.js';
import { printWarnings } from './warnings.js';

interface Executed extends MissionRecord {
  readonly warnings?: readonly string[];
}

/**
 * Executes a mission. With `visible`, warnings go to standard error, else only to the record's `warnings`, present if there are
 * any.
 */
export async function execute(home: Home, id: string, actor: string, visible: boolean): Promise<Executed> {
  const { executeMission } = await import('../app/missions/attempt.js');
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { signal } = controller;
  const warnings: string[] = [];
  const onWarning = (message: string): void => {
    warnings.push(message);
    // Printed at once, because a full disk may be waited for; in place of the progress bar, which is drawn again.
    if (visible && process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    if (visible) printWarnings([message]);
  };
  try {
    const mission = await withProgress(visible, (update) =>
      executeMission(home, id, {
        actor,
        signal,
        onProgress: (stage, share) => {
          const { label, done } = overall(stage, share);
          update(label, done);
        },
        onWarning,
      }),
    );
    return warnings.length === 0 ? mission : { ...mission, warnings };
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}

/** What `run --execute` queues and executes. */
interface ToExecute extends Read {
  readonly requestId: string | undefined;
  readonly actor: string;
  /** Receives the mission once it is queued, before it executes. */
  readonly onQueued: (mission: MissionRecord) => void;
}

/**
 * Queues a mission and executes it. A mission that could not execute now is not queued; one that was queued before by the same request is
 * executed only while it is still queued.
 */
export async function queueAndExecute(home: Home, given: ToExecute, visible: boolean): Promise<Executed> {
  const { request, queue, requestId, actor, onQueued } = given;
  const [{ isKnownMission, showMission }, { failInterrupted }, { requireExecutable }] = await Promise.all([
    import('../app/missions/missions.js'),
    import('../app/missions/interrupted.js'),
    import('../app/missions/lease.js'),
  ]);
  if (requestId === undefined || !isKnownMission(home, requestId))
    await requireExecutable(home, request).catch((error: unknown) => {
      throw notQueued(error);
    });
  const queued = await queue(home, requestId, actor);
  onQueued(queued);
  if (queued.interrupted === true) return failInterrupted(home).then(() => showMission(home, queued.id));
  if (queued.state !== 'queued') return queued;
  try {
    return await execute(home, queued.id, actor, visible);
  } catch (error) {
    throw stillQueued(error, queued.id, showMission(home, queued.id).state);
  }
}

const notQueued = (error: unknown): unknown =>
  error instanceof RefusalError
    ? new RefusalError({ ...error.refusal, detail: `${error.refusal.detail}; the mission was not queued` })
    : error;

/** Returns the error, naming a mission that was queued but not executed, so that it is not queued a second time. */
function stillQueued(error: unknown, id: string, state: string): unknown {
  if (!(error instanceof RefusalError) || state !== 'queued' || error.refusal.detail.includes(id)) return error;
  const { detail, hint, ...rest } = error.refusal;
  const next = `agent-cli execute ${id}`;
  return new RefusalError({
    ...rest,
    detail: `${detail}; mission ${id} stays queued`,
    hint: hint === undefined ? next : `${hint}, then ${next}`,
  });
}
