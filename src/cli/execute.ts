/** Executing from the command line: a progress bar, and Ctrl-C that stops at the next checkpoint and records a failure. */
import { unwrap } from '../base/result.js';
import type { Home } from '../app/home.js';
import type { MissionRecord } from '../app/mission-store.js';
import { withProgress } from './progress.js';

export async function execute(home: Home, id: string, actor: string, visible: boolean): Promise<MissionRecord> {
  const { executeMission } = await import('../app/execute.js');
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { signal } = controller;
  try {
    return await withProgress(visible, async (onProgress) =>
      unwrap(await executeMission(home, id, { actor, signal, onProgress })),
    );
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}
