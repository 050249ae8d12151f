/** The message bus over a daemon of a temporary home, and clients of it. All are ended after each test. */
import { readFileSync } from 'node:fs';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import {
  Client,
  credentials,
  Metadata,
  status,
  type ChannelCredentials,
  type ChannelOptions,
  type ServiceError,
} from '@grpc/grpc-js';
import type { BusSettings } from '../../../src/app/bus/settings.js';
import { startBus, type BusServer, type BusServing } from '../../../src/bus/serve.js';
import { entriesOfStream } from '../../../src/journal/reader.js';
import type { Documents } from '../../../src/codec/event.js';
import { daemonsForEach, type GivenDaemon } from '../app/given-daemon.js';
import { homeForEach, type TemporaryHome } from '../app/temporary-home.js';
import { hang_ms } from '../wait.js';

/** Numbers and names of statuses in one: `OK`, `INVALID_ARGUMENT`. */
export interface Answer {
  readonly code: string;
  /** The text of the response, or the reason of a refusal. */
  readonly text: string;
}

export interface BusClient {
  readonly send: (message: string | Uint8Array, metadata?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Calls a method with raw bytes and returns the bytes of the response. @throws ServiceError */
  readonly call: (path: string, message: Uint8Array, metadata?: Readonly<Record<string, string>>) => Promise<Buffer>;
  readonly close: () => void;
}

export interface GivenBus extends BusServer {
  readonly daemon: GivenDaemon;
  readonly home: TemporaryHome;
  readonly client: (more?: { readonly secure?: ChannelCredentials; readonly options?: ChannelOptions }) => BusClient;
  readonly recorded: () => readonly Documents['bus.received'][];
}

const same = (bytes: Buffer): Buffer => bytes;
export const greeting = 'proto_schema=1';
export const envelope = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ sender: 'planner', recipient: 'market', ts: 1_795_152_700.5, payload: { task: 'try' }, ...changes });

export const isServiceError = (error: unknown): error is ServiceError => error instanceof Error && 'details' in error;

export function metadataOf(fields: Readonly<Record<string, string>> = {}): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return metadata;
}

/** A client with a connection of its own. */
export function busClient(
  address: string,
  secure: ChannelCredentials = credentials.createInsecure(),
  options: ChannelOptions = {},
): BusClient {
  // Without retries and shared connections, so that each message is one call on one connection.
  const client = new Client(address, secure, { 'grpc.use_local_subchannel_pool': 1, 'grpc.enable_retries': 0, ...options });
  const call: BusClient['call'] = (path, message, fields) =>
    new Promise((resolve, reject) => {
      const deadline = { deadline: Date.now() + hang_ms };
      client.makeUnaryRequest(path, same, same, Buffer.from(message), metadataOf(fields), deadline, (error, value) => {
        if (error !== null) reject(error);
        else resolve(value ?? Buffer.alloc(0));
      });
    });
  const send: BusClient['send'] = async (message, fields) => {
    try {
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      return { code: 'OK', text: (await call('/bus.Bus/Send', bytes, fields)).toString('latin1') };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { code: status[error.code] ?? '', text: error.details };
    }
  };
  return { call, send, close: () => client.close() };
}

/** Returns the metadata of a call with the token of the bus's home. */
export const bearerOf = ({ home }: Pick<GivenBus, 'home'>): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${readFileSync(join(home.directory, 'api.token'), 'utf8').trim()}`,
});

/** Begins a call and sends the head of a message of 100 bytes, and no more. */
export function beginCall(session: ClientHttp2Session, fields: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
  const head = { ':method': 'POST', ':path': '/bus.Bus/Send', 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request({ ...head, ...fields });
  stream.write(Buffer.from([0, 0, 0, 0, 100, 1]));
  return stream;
}

/** To be called in a suite: buses that end after each test. */
export function busForEach(): {
  readonly start: (settings?: Partial<BusSettings>, more?: Partial<BusServing>, home?: TemporaryHome) => Promise<GivenBus>;
} {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  const daemons = daemonsForEach();
  const homes = homeForEach();
  return {
    start: async (settings = {}, more = {}, home = homes.get()) => {
      const daemon = await daemons.start(home);
      const warnings: string[] = [];
      const bus = await startBus(daemon.home, {
        settings: { host: '127.0.0.1', port: 0, isPortNamed: true, tls: null, token: null, ...settings },
        onWarning: (message) => warnings.push(message),
        ...more,
      });
      ends.push(bus.stop);
      const client: GivenBus['client'] = ({ secure, options } = {}) => {
        const made = busClient(`${bus.host}:${bus.port}`, secure, options);
        ends.push(made.close);
        return made;
      };
      const recorded = (): Documents['bus.received'][] =>
        entriesOfStream(daemon.home.db, '@bus').map(({ event }) => event?.document as Documents['bus.received']);
      return { ...bus, daemon, home, client, recorded };
    },
  };
}
