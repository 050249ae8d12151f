/**
 * A network namespace with nothing but its own loopback, which can be switched off: connections stay open, and what is sent
 * disappears. Programs in it reach a port of this machine through a relay over a Unix socket. It ends with its first process.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './given-daemon.js';
import { talking, type Talking } from './nats.js';

export interface Namespace {
  /** The port in the namespace that leads to the one outside. */
  readonly port: number;
  /** The command that runs a program in it. */
  readonly enter: readonly string[];
  /** Switches its loopback off or on. */
  readonly link: (state: 'up' | 'down') => void;
  readonly remove: () => Promise<void>;
}

const relayScript = fileURLToPath(new URL('./relay.js', import.meta.url));
const life_s_max = 1_800;

const placeOf = ({ lines }: Talking): string | undefined => /^listening at (.+)$/.exec(lines[0] ?? '')?.[1];

/** @param outside the port that is reached from it */
export async function makeNamespace(outside: number): Promise<Namespace> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-netns-'));
  const socket = join(folder, 'relay');
  const started: Talking[] = [];
  const start = async (command: string, args: readonly string[], isReady: (one: Talking) => boolean): Promise<Talking> => {
    const one = talking(command, args);
    started.push(one);
    await until(() => isReady(one), `${command}: ${one.lines.join('; ')}`);
    return one;
  };
  const remove = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const within = `ip link set lo up && echo ready && exec sleep ${life_s_max}`;
    const first = await start('unshare', ['--net', 'sh', '-c', within], ({ lines }) => lines.includes('ready'));
    const enter = ['nsenter', `--net=/proc/${first.child.pid}/ns/net`];
    const listens = (one: Talking): boolean => placeOf(one) !== undefined;
    await start(process.execPath, [relayScript, socket, String(outside)], listens);
    const inner = await start('nsenter', [...enter.slice(1), process.execPath, relayScript, '0', socket], listens);
    const link = (state: 'up' | 'down'): void => {
      const { status, stderr } = spawnSync('nsenter', [...enter.slice(1), 'ip', 'link', 'set', 'lo', state], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
    };
    return { port: Number(placeOf(inner)), enter, link, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
