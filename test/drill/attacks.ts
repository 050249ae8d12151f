/** What hostile or careless clients do to a daemon. Each attack lasts until its process ends. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { intake_part_bytes_max } from '../../src/codec/api-intake.js';
import { simulation_token, type Target } from './real-daemon.js';

/** A daemon, and what was made there for the attacks. */
export interface Attacked extends Target {
  readonly viewer: string;
  readonly reviewer: string;
  /** A simulation run with a result of 10.5 MB. */
  readonly run: string;
  /** One in so many of an attack's clients takes part, unless it needs all; 1 if it is absent. */
  readonly one_in?: number;
}

export interface Attack {
  readonly cause: string;
  /** Begins the attack; resolves when all clients are at work. */
  readonly mount: (target: Attacked) => Promise<void>;
}

const again_ms = 1_000;
const blank_ms = 2_000;
const flooding = 32;

/** Opens a connection that sends this and reads nothing; opens another one when it is closed. Resolves when it is connected. */
function deaf(url: string, text: string, onConnected: (socket: Socket) => void = () => undefined): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const open = (): void => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.pause();
      socket.once('connect', () => {
        socket.write(text);
        onConnected(socket);
        resolve();
      });
      socket.on('error', () => undefined).once('close', () => setTimeout(open, again_ms));
    };
    open();
  });
}

const head = (method: string, path: string, token: string | null): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${token === null ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`;

async function nonReading(target: Attacked, clients: number): Promise<void> {
  const text = head('GET', `/results/${target.run}?genome=1`, simulation_token);
  await Promise.all(Array.from({ length: clients / (target.one_in ?? 1) }, () => deaf(target.simulation, text)));
}

/** Each connection gets one response, then sends a CR now and then. */
async function blanks({ operator }: Attacked): Promise<void> {
  const keep = (socket: Socket): void => {
    socket.resume();
    const timer = setInterval(() => socket.write('\r'), blank_ms);
    socket.once('close', () => clearInterval(timer));
  };
  await Promise.all(Array.from({ length: 256 }, () => deaf(operator, head('GET', '/healthz', null), keep)));
}

async function streams({ operator, viewer }: Attacked): Promise<void> {
  const text = head('GET', '/api/events', viewer);
  await Promise.all(Array.from({ length: 80 }, () => deaf(operator, text, (socket) => void socket.resume())));
}

interface Flood {
  readonly url: string;
  readonly path: string;
  readonly token: string | null;
  readonly body?: Buffer;
}

/**
 * Sends requests on many connections, each as soon as the one before has its response, or a moment later if few clients take part. Resolves
 * when each has had one.
 */
async function flood({ one_in = 1 }: Attacked, { url, path, token, body }: Flood): Promise<void> {
  const connections = flooding / one_in;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = {
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
  };
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      const method = body === undefined ? 'GET' : 'POST';
      const taken = (response: IncomingMessage): void => void response.resume().once('close', resolve);
      request(new URL(path, url), { agent, method, headers }, taken)
        .on('error', () => setTimeout(resolve, again_ms))
        .end(body);
    });
  const client = async (): Promise<void> => {
    await once();
    void forever(once, one_in === 1 ? 0 : 10);
  };
  await Promise.all(Array.from({ length: connections }, client));
}

async function floodBoth(target: Attacked, token: string | null): Promise<void> {
  const { operator, simulation } = target;
  const each = [
    flood(target, { url: operator, path: '/api/status', token }),
    flood(target, { url: simulation, path: '/runs', token }),
  ];
  await Promise.all(each);
}

/** Readings at a time: one more than run and wait in a daemon, so that some are refused. */
const reading_clients = 6;

/** Sends the files that mean harm to be read, each again and again. */
async function files({ operator, reviewer }: Attacked): Promise<void> {
  // They need everything that reads files, which takes longer to load than the other attacks take to begin.
  const { hostileFiles } = await import('../intake/hostile.js');
  const all = hostileFiles();
  const headers = { Authorization: `Bearer ${reviewer}`, 'Content-Type': 'application/json' };
  const post = async (path: string, body: unknown): Promise<{ readonly draft?: string }> =>
    (await fetch(new URL(path, operator), { method: 'POST', headers, body: JSON.stringify(body) })).json();
  let next = 0;
  const send = async (): Promise<void> => {
    const { name, kind, bytes } = all[next++ % all.length] ?? { name: '', kind: 'forecast', bytes: Buffer.alloc(0) };
    const { draft = '' } = await post('/api/intake', { files: [{ name, bytes: bytes.length }] });
    for (let at = 0; at < bytes.length; at += intake_part_bytes_max) {
      const data = bytes.subarray(at, at + intake_part_bytes_max).toString('base64');
      await post(`/api/intake/${draft}/parts`, { file: 0, at, data });
    }
    await post(`/api/intake/${draft}`, { kind });
  };
  const client = (): void => void forever(() => send().catch(() => sleep(again_ms)));
  await send();
  for (let i = 0; i < reading_clients; i++) client();
}

async function forever(act: () => Promise<void>, pause_ms = 0): Promise<never> {
  for (;;) {
    await act();
    await sleep(pause_ms);
  }
}

const body_bytes = 524_288;
export const nested = Buffer.from(`[${'[],'.repeat(body_bytes / 3 - 2)}[]]`);
/** A request with 1000 sectors and a member that does not exist, of nearly 1 MiB. */
const largeRequest = Buffer.from(
  JSON.stringify({
    sectors: Array.from({ length: 1_000 }, (_, n) => ({ name: `${n}`.padEnd(100, 'x') })),
    x: 'x'.repeat(900_000),
  }),
);

export const attacks: Readonly<Record<string, Attack>> = {
  'non-reading-400': {
    cause: '400 clients ask for a result of 10.5 MB and do not read',
    mount: (target) => nonReading(target, 400),
  },
  'non-reading-1000': {
    cause: '1000 clients ask for a result of 10.5 MB and do not read',
    mount: (target) => nonReading(target, 1_000),
  },
  blanks: { cause: '256 sockets send a CR every 2 s after a response', mount: blanks },
  nested: {
    cause: 'a reviewer sends 512 KB of [],[],… on 32 connections',
    mount: (target) => flood(target, { url: target.operator, path: '/api/missions', token: target.reviewer, body: nested }),
  },
  files: { cause: 'a reviewer sends files that mean harm, six at a time', mount: files },
  streams: { cause: 'one viewer asks for 80 event streams', mount: streams },
  anonymous: {
    cause: 'requests without a token on 32 connections, to each server',
    mount: (target) => floodBoth(target, null),
  },
  guesses: {
    cause: 'wrong tokens on 32 connections, to each server',
    mount: (target) => floodBoth(target, 'x'.repeat(43)),
  },
  'large-bodies': {
    cause: 'requests of 1 MB to the simulation on 32 connections',
    mount: (target) => flood(target, { url: target.simulation, path: '/simulate', token: simulation_token, body: largeRequest }),
  },
  csv: {
    cause: 'the CSV of a result of 10.5 MB on 32 connections',
    mount: (target) => flood(target, { url: target.simulation, path: `/results/${target.run}.csv`, token: simulation_token }),
  },
};
