/**
 * Network namespaces with nothing but their own loopback. Each ends with its first process. Programs in one that `makeNamespace` makes reach a port
 * of this machine through a relay over a Unix socket; its loopback can be switched off: connections stay open, and what is sent disappears.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './app/given-daemon.js';
import { talking, type Talking } from './app/nats.js';

export interface EmptyNamespace {
  /** The command that runs a program in it. */
  readonly enter: readonly string[];
  readonly remove: () => Promise<void>;
}

export interface Namespace extends EmptyNamespace {
  /** The port in the namespace that leads to the one outside. */
  readonly port: number;
  /** Switches its loopback off or on. */
  readonly link: (state: 'up' | 'down') => void;
}

const relayScript = fileURLToPath(new URL('./relay.js', import.meta.url));
const life_s_max = 1_800;

const placeOf = ({ lines }: Talking): string | undefined => /^listening at (.+)$/.exec(lines[0] ?? '')?.[1];

/** Starts a program and waits until `isReady`; the program is ended where that fails. */
async function started(command: string, args: readonly string[], isReady: (one: Talking) => boolean): Promise<Talking> {
  const one = talking(command, args);
  try {
    await until(() => isReady(one), `${command}: ${one.lines.join('; ')}`);
    return one;
  } catch (error) {
    await one.stop();
    throw error;
  }
}

/** Makes a namespace in which every port is free. @param addresses what its loopback has beside 127.0.0.1 */
export async function emptyNamespace(...addresses: readonly string[]): Promise<EmptyNamespace> {
  const add = addresses.map((address) => `ip address add ${address} dev lo && `).join('');
  const within = `ip link set lo up && ${add}echo ready && exec sleep ${life_s_max}`;
  const first = await started('unshare', ['--net', 'sh', '-c', within], ({ lines }) => lines.includes('ready'));
  return { enter: ['nsenter', `--net=/proc/${first.child.pid}/ns/net`], remove: () => first.stop() };
}

/** @param outside the port that is reached from it */
export async function makeNamespace(outside: number): Promise<Namespace> {
  const { enter, remove: end } = await emptyNamespace();
  const folder = mkdtempSync(join(tmpdir(), 'agent-netns-'));
  const socket = join(folder, 'relay');
  const relays: Talking[] = [];
  const relay = async ([command = '', ...args]: readonly string[]): Promise<Talking> => {
    const one = await started(command, args, (each) => placeOf(each) !== undefined);
    relays.push(one);
    return one;
  };
  const remove = async (): Promise<void> => {
    await Promise.all([end(), ...relays.map((one) => one.stop())]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await relay([process.execPath, relayScript, socket, String(outside)]);
    const inner = await relay([...enter, process.execPath, relayScript, '0', socket]);
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
