/** What targets share: one real daemon, which starts when the first of them asks for it. */
import { FuzzedDaemon } from './fuzzed-daemon.js';

export class Place {
  private started: Promise<FuzzedDaemon> | null = null;

  readonly daemon = (): Promise<FuzzedDaemon> => (this.started ??= FuzzedDaemon.start());

  /** Stops the daemon; the next target that asks gets another one. Returns what is wrong with its end, or with its journal. */
  async close(): Promise<readonly string[]> {
    const daemon = await this.started;
    this.started = null;
    return daemon === null ? [] : daemon.close();
  }
}
