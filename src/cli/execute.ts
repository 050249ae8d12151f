/** Executing from the command line: a progress bar, and Ctrl-C that stops at the next checkpoint and records a failure. */
import { RefusalError } from '../base/result.js';
import type { MissionRecord } from '../codec/api-missions.js';
import type { Home } from '../app/home/home.js';
import { withProgress } from './progress.js';
import { printWarnings } from './warnings.js';

interface Executed extends MissionRecord {
  readonly warnings?: readonly string[];
}

/** With `visible` what warns stands on standard error, else only in the record's `warnings`, which is there when something does. */
export async function execute(home: Home, id: string, actor: string, visible: boolean): Promise<Executed> {
  const { executeMission } = await import('../app/missions/execute.js');
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { signal } = controller;
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  try {
    const mission = await withProgress(visible, (onProgress) =>
      executeMission(home, id, { actor, signal, onProgress, onWarning }),
    );
    return warnings.length === 0 ? mission : { ...mission, warnings };
  } finally {
    if (visible) printWarnings(warnings);
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}

/** A mission that was queued but not executed must not be queued again: the refusal names it. */
export function stillQueued(error: unknown, id: string, state: string): unknown {
  if (!(error instanceof RefusalError) || state !== 'queued' || error.refusal.detail.includes(id)) return error;
  const { detail, hint, ...rest } = error.refusal;
  const next = `agent-cli execute ${id}`;
  return new RefusalError({
    ...rest,
    detail: `${detail}; mission ${id} stays queued`,
    hint: hint === undefined ? next : `${hint}, then ${next}`,
  });
}
