/** The place of the drill: a home on a disk of its own where that is possible, one daemon over it, its clients, and its commands. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cold, type Ran } from '../support/crash/crash-cli.js';
import { makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { Tmpfs } from '../support/mount.js';
import { whyAbsent } from '../support/real.js';
import { hang_ms } from '../support/wait.js';
import { mount, type Mounted } from './attack-process.js';
import type { Attacked } from './attacks.js';
import { largeRun, makeHome } from './given-attacked.js';
import { Load, tryMission } from './load.js';
import { RealDaemon } from './real-daemon.js';

export type Print = (line: string) => void;

const again_ms = 50;

export class Field {
  private mounted: Mounted | null = null;

  private constructor(
    private readonly root: string,
    readonly sandbox: Sandbox,
    /** Why the home is not on a small disk of its own, or that disk. */
    readonly disk: Tmpfs | string,
    /** The daemon that runs at the moment. */
    public daemon: RealDaemon,
    private readonly made: Pick<Attacked, 'viewer' | 'reviewer' | 'run' | 'one_in'>,
  ) {
    this.load = new Load(() => this.daemon.target);
  }

  readonly load: Load;

  /** @param one_in one in so many clients of an attack takes part */
  static async make(one_in: number): Promise<Field> {
    const root = mkdtempSync(join(tmpdir(), 'agent-drill-'));
    const why = whyAbsent('tmpfs');
    const disk = why ?? new Tmpfs(join(root, 'disk'), 'size=256m,mode=0700');
    if (typeof disk !== 'string') disk.mount();
    const sandbox = makeSandbox(join(root, 'disk', 'sandbox'));
    const tokens = await makeHome(sandbox);
    const daemon = await RealDaemon.start(sandbox.env);
    return new Field(root, sandbox, disk, daemon, { ...tokens, run: await largeRun(daemon.target), one_in });
  }

  get attacked(): Attacked {
    return { ...this.daemon.target, ...this.made };
  }

  /** Begins an attack; it ends with `endAttack`. Resolves when all of its clients are at work. */
  async attack(name: string): Promise<void> {
    this.mounted = mount(name, this.attacked);
    await this.mounted.ready;
  }

  async endAttack(): Promise<void> {
    await this.mounted?.end();
    this.mounted = null;
  }

  async restart(): Promise<void> {
    this.daemon = await RealDaemon.start(this.sandbox.env);
  }

  /** Runs a command beside the daemon. */
  readonly command = (...argv: readonly string[]): Promise<Ran> => cold(argv, this.sandbox.env);

  /** Waits until a mission goes from submission to review. Returns the seconds from `began`, and what the refusals before said. */
  readonly normal = async (began = performance.now()): Promise<Normal> => {
    const refusals = new Set<string>();
    for (;;) {
      const refused = await tryMission(this.daemon.target);
      const seconds = (performance.now() - began) / 1_000;
      if (refused === null) return { seconds, refusals: [...refusals] };
      refusals.add(refused);
      if (performance.now() - began > hang_ms) throw new Error(`no mission is executed: ${refused}`);
      await sleep(again_ms);
    }
  };

  /** Waits for a line of the daemon's log that matches. */
  async logged(pattern: RegExp, from = 0): Promise<string> {
    for (const end = performance.now() + hang_ms; ; await sleep(again_ms)) {
      const line = this.daemon.log.slice(from).find(({ msg }) => pattern.test(msg));
      if (line !== undefined) return line.msg;
      if (performance.now() > end) throw new Error(`the log does not say ${String(pattern)}`);
    }
  }

  async remove(): Promise<void> {
    await this.endAttack();
    await this.load.end();
    await this.daemon.kill();
    if (typeof this.disk !== 'string') this.disk.unmount();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export interface Normal {
  readonly seconds: number;
  readonly refusals: readonly string[];
}
