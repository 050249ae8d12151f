/** The home of a soak and the daemon over it at the moment, which is killed and started again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '../drill/given-attacked.js';
import { RealDaemon, type Target } from '../drill/real-daemon.js';
import type { Env } from '../support/crash/crash-cli.js';
import { makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { freePort } from '../support/http/free-port.js';
import { sandboxEnv } from '../support/sandbox/sandbox.js';
import type { Sample } from './measured.js';

const up_look_ms = 20;

export class Site {
  private daemon: RealDaemon | null = null;
  private began_ms = 0;
  private changes = 0;
  private why_over: string | null = null;
  life = -1;

  private constructor(
    readonly root: string,
    readonly sandbox: Sandbox,
    private readonly variables: Env,
  ) {}

  /** Makes a home. With `code`, it may run code missions in containers. */
  static async make({ code }: { readonly code: boolean }): Promise<Site> {
    const root = mkdtempSync(join(tmpdir(), 'agent-soak-'));
    const sandbox = makeSandbox(join(root, 'sandbox'));
    await command(sandbox, 'init');
    const variables = { AGI_INSIGHT_BUS_PORT: String(await freePort()), ...(code ? sandboxEnv() : {}) };
    if (code) {
      const file = join(root, 'config.json');
      writeFileSync(file, JSON.stringify({ allow_code_execution: true }));
      for (const argv of [['pause'], ['configure', file], ['resume']]) await command(sandbox, ...argv);
    }
    return new Site(root, sandbox, variables);
  }

  /** A number that changes with each kill and start; null while there is no daemon. */
  readonly disturbances = (): number | null => (this.daemon === null ? null : this.changes);

  get running(): RealDaemon {
    if (this.daemon === null) throw new Error('no daemon is running');
    return this.daemon;
  }

  /** Waits for a daemon. @throws when there will be none */
  async target(): Promise<Target> {
    while (this.daemon === null) {
      if (this.why_over !== null) throw new Error(this.why_over);
      await sleep(up_look_ms);
    }
    return this.daemon.target;
  }

  async start(): Promise<void> {
    const daemon = await RealDaemon.start(this.sandbox.env, this.variables).catch((error: unknown) => {
      this.why_over = `the daemon does not start again: ${String(error)}`;
      throw error;
    });
    this.life++;
    this.changes++;
    this.began_ms = performance.now();
    this.daemon = daemon;
    void daemon.ended.then(([code, signal]) => {
      if (this.daemon === daemon) this.why_over = `the daemon ended by itself (${code ?? String(signal)})`;
    });
  }

  /** Ends the daemon by a signal. Returns what is wrong with how it ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<readonly string[]> {
    const { running } = this;
    this.daemon = null;
    await running.kill(signal);
    const [code] = await running.ended;
    return signal === 'SIGTERM' && code !== 0 ? [`the daemon ended with ${String(code)} on SIGTERM`] : [];
  }

  /** Returns why the soak cannot go on, or null. */
  get wrong(): string | null {
    return this.why_over;
  }

  /** Returns the memory and the file handles of the daemon; null while there is none. */
  sample(): Sample | null {
    const { daemon } = this;
    if (daemon === null) return null;
    try {
      const { rss_bytes, handles } = daemon;
      return { age_ms: performance.now() - this.began_ms, life: this.life, rss_bytes, handles };
    } catch {
      // It has just been killed.
      return null;
    }
  }

  async remove(): Promise<void> {
    await this.daemon?.kill();
    rmSync(this.root, { recursive: true, force: true });
  }
}
