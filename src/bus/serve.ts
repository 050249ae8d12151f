/**
 * The server of the message bus: `/bus.Bus/Send`, health (grpc.health.v1) and reflection over gRPC. It accepts the connections itself
 * and passes them to the library, so that it knows each one from its beginning to its end.
 */
import { once } from 'node:events';
import { createServer, type Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type handleUnaryCall,
  logVerbosity,
  type Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  type ServiceDefinition,
  setLogVerbosity,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation, protoPath as healthProto } from 'grpc-health-check';
import { BusAllowance, recentOpenEnvelopes } from '../app/bus/records.js';
import { busCallers, type TokenVerdict } from '../app/bus/callers.js';
import { busPortVariable, busProto, type BusResult, busResults, type BusSettings } from '../app/bus/settings.js';
import { noteAddress } from '../app/home/files.js';
import { type Home, monotonic } from '../app/home/home.js';
import { bus_message_bytes_max } from '../base/limits.js';
import { Fault, invalid, messageOf, RefusalError } from '../base/refusal.js';
import { listenRefusal } from '../base/listen.js';
import { isLoopbackAddress } from '../base/loopback.js';
import { denied, Gate, keyOf, type Peer, type PeerLimits, Peers, type Place, Places, type PeerRefusal } from './peers.js';
import { type Reply, Sending, type SendOptions } from './send.js';
import { Subscribing } from './subscribe.js';

/** Calls of one connection that are open at once. */
const bus_calls_per_peer_max = 16;
/** Calls of all connections whose messages are being received. */
const bus_receiving_max = 256;
/** Time from the head of a call to the end of its message. */
const bus_message_ms_max = 15_000;
/** Time between two pings of a connection, and for the response to one. */
const bus_ping_ms = 20_000;
const bus_ping_answer_ms_max = 10_000;
/** A connection without a call for this time is closed. */
const bus_idle_ms_max = 600_000;
/** Time for open calls to finish when the server stops. */
const bus_stop_ms_max = 5_000;

export interface BusServing {
  readonly settings: BusSettings;
  readonly onWarning: (message: string) => void;
  readonly limits?: Partial<PeerLimits> &
    Partial<Pick<CallRules, 'message_ms_max' | 'receiving_max'>> & { readonly drain_ms_max?: number };
}

export type BusServer = Readonly<Awaited<ReturnType<typeof startBus>>>;

const sendPath = '/bus.Bus/Send';
const subscribePath = '/bus.Bus/Subscribe';

type Raw = Buffer;
const same = (bytes: Raw): Raw => bytes;
const raw = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };
const service: ServiceDefinition = {
  Send: { path: sendPath, requestStream: false, responseStream: false, ...raw },
  Subscribe: { path: subscribePath, requestStream: false, responseStream: true, ...raw },
};

const channelOptions = {
  'grpc.max_receive_message_length': bus_message_bytes_max,
  'grpc.max_concurrent_streams': bus_calls_per_peer_max,
  'grpc.keepalive_time_ms': bus_ping_ms,
  'grpc.keepalive_timeout_ms': bus_ping_answer_ms_max,
  'grpc.max_connection_idle_ms': bus_idle_ms_max,
  'grpc.enable_channelz': 0,
};

/** Starts the bus of a daemon's home. @throws RefusalError `port_taken`, with what to set instead */
export async function startBus(home: Home, { settings, limits = {}, onWarning }: BusServing) {
  const { host, tls, token } = settings;
  // The library prints metadata that it refuses, which may hold a token.
  setLogVerbosity(logVerbosity.NONE);
  const peers = new Peers(limits);
  const counts = Object.fromEntries(busResults.map((result) => [result, 0])) as Record<BusResult, number>;
  const onResult = (result: BusResult): void => void counts[result]++;
  const failed = (error: unknown): Reply => {
    onResult('failed');
    onWarning(`a message of the bus failed (${messageOf(error)})`);
    return { code: status.INTERNAL, details: 'internal error' };
  };
  const callers = busCallers(home, token);
  const gate = new Gate();
  const interceptors = [callRules({ ...limits, peers, callers, gate, onResult, onWarning })];
  const server = new Server({ ...channelOptions, interceptors });
  const sending = new Sending({ home, peers, token, callers, gate, allowance: allowanceOf(home), onResult, onWarning });
  const subscribing = new Subscribing({ home, callers, bearerOf, drain_ms_max: limits.drain_ms_max });
  addServices(server, peers, subscribing, (peer, message, bearer) => sending.answer(peer, message, bearer).catch(failed));
  const credentials =
    tls === null
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }]);
  const injector = server.createConnectionInjector(credentials);
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    if (peers.add(socket)) injector.injectConnection(socket);
  });
  const port = await listen(listener, settings);
  noteAddress(home.paths.daemon, { bus: `${host}:${port}` });
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => listener.close(resolve));
    subscribing.stop();
    peers.end(true);
    await shutDown(server, closed);
    peers.end();
  };
  let stopped: Promise<void> | null = null;
  return {
    host,
    port,
    figures: { peers: () => peers.size, dropped: () => peers.dropped, messages: () => ({ ...counts }) },
    /** Ends open calls, within 5 s, and every connection. */
    stop: () => (stopped ??= stop()),
  };
}

/** Returns what may be recorded, after what the journal says of the last 24 hours. */
function allowanceOf(home: Home): BusAllowance {
  const allowance = new BusAllowance();
  const now = monotonic(home.world);
  for (const { age_ms, bytes } of recentOpenEnvelopes(home)) allowance.count(bytes, now - age_ms);
  return allowance;
}

function addServices(server: Server, peers: Peers, subscribing: Subscribing, answer: Sending['answer']): void {
  const reply = async (call: ServerUnaryCall<Raw, Raw>): Promise<Reply> => {
    const peer = peers.get(call.getPeer());
    if (peer === null) return ended;
    return answer(peer, call.request, bearerOf(call.metadata));
  };
  const send: handleUnaryCall<Raw, Raw> = (call, callback) => {
    void reply(call).then((replied) => {
      if ('bytes' in replied) callback(null, Buffer.from(replied.bytes));
      else callback(replied);
    });
  };
  server.addService(service, { Send: send, Subscribe: subscribing.serve });
  new HealthImplementation({ '': 'SERVING', 'bus.Bus': 'SERVING' }).addToServer(server);
  const described = { ...loadSync(busProto), ...loadSync(healthProto) };
  new ReflectionService(described, { services: ['bus.Bus', 'grpc.health.v1.Health'] }).addToServer(server);
}

async function listen(listener: TcpServer, { host, port, tls }: BusSettings): Promise<number> {
  const failed = new Promise<never>((_resolve, reject) => listener.once('error', reject));
  listener.listen({ host, port });
  try {
    await Promise.race([once(listener, 'listening'), failed]);
  } catch (error) {
    throw listenRefusal(error, host, port, `set ${busPortVariable} to another port, or to 0 for no bus`);
  }
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Fault('the bus has no port');
  if (tls !== null || isLoopbackAddress(address.address)) return address.port;
  listener.close();
  throw new RefusalError(invalid('AGI_INSIGHT_BUS_HOST', 'is not an address of this machine only, and the bus is in cleartext'));
}

/** Ends the connections once their calls are answered. With newer Nodes tryShutdown itself does not wait for the calls. @param closed when the last one has ended */
async function shutDown(server: Server, closed: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  server.tryShutdown(() => undefined);
  await Promise.race([closed, sleep(bus_stop_ms_max, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  server.forceShutdown();
}

interface CallRules extends Pick<SendOptions, 'peers' | 'callers' | 'gate' | 'onResult' | 'onWarning'> {
  readonly message_ms_max?: number | undefined;
  readonly receiving_max?: number | undefined;
}

/** Returns the token of the metadata (`authorization: Bearer …`), or null. */
export function bearerOf(metadata: Metadata): string | null {
  const [value] = metadata.get('authorization');
  return value === undefined ? null : (/^Bearer +([!-~]+)$/i.exec(value.toString())?.[1] ?? '');
}

const ended: PeerRefusal = { code: status.UNAVAILABLE, details: 'the connection has ended' };
const unchecked: PeerRefusal = { code: status.UNAVAILABLE, details: 'the token cannot be checked now' };
const late: PeerRefusal = { code: status.DEADLINE_EXCEEDED, details: 'the message did not arrive in time' };
const crowded: PeerRefusal = { code: status.RESOURCE_EXHAUSTED, details: 'too many messages are being received' };

/** Returns whether a call has shown a token, or its refusal. Send may show it in its envelope; every other method needs it in the metadata, and Subscribe always. */
function admitted(path: string, metadata: Metadata, peer: Peer, rules: CallRules): PeerRefusal | { readonly hasToken: boolean } {
  if (peer.isBarred) return denied;
  const { peers, callers, gate, onResult, onWarning } = rules;
  let verdict: TokenVerdict;
  try {
    verdict = callers.ofBearer(bearerOf(metadata));
  } catch (error) {
    onWarning(`the token of a call to the bus could not be checked (${messageOf(error)})`);
    return unchecked;
  }
  const needsToken = path === subscribePath || (callers.needsToken && path !== sendPath);
  if (verdict === 'wrong' || (verdict === 'missing' && needsToken)) {
    onResult('unauthorized');
    return gate.refuse(peer, verdict);
  }
  if (verdict === 'known') peers.showToken(peer);
  return { hasToken: verdict === 'known' || peer.place?.hasToken === true };
}

/** A call whose message is being received. */
class Reception {
  private waiting: { readonly place: Place; readonly timer: NodeJS.Timeout } | null = null;
  isRefused = false;

  constructor(
    private readonly places: Places,
    private readonly rules: CallRules,
    private readonly sendStatus: (refused: PeerRefusal) => void,
  ) {}

  begin(hasToken: boolean): void {
    const place = this.places.take(hasToken, () => this.refuse(crowded));
    if (place === null) {
      this.rules.onResult('too_many');
      return this.refuse(crowded);
    }
    this.waiting = { place, timer: setTimeout(() => this.refuse(late), this.rules.message_ms_max ?? bus_message_ms_max) };
  }

  /** Notes the end of the call. */
  end(): void {
    if (this.waiting !== null) this.rules.onResult('incomplete');
    this.received();
  }

  received(): void {
    if (this.waiting === null) return;
    clearTimeout(this.waiting.timer);
    this.places.leave(this.waiting.place);
    this.waiting = null;
  }

  /** Refuses the call; a message that still arrives is ignored. */
  refuse(refused: PeerRefusal): void {
    this.end();
    this.isRefused = true;
    this.sendStatus(refused);
  }
}

function callRules(rules: CallRules): ServerInterceptor {
  const { peers, receiving_max = bus_receiving_max } = rules;
  const places = new Places(receiving_max);
  return ({ path }, call) => {
    const { remoteAddress = '', remotePort = 0 } = call.getConnectionInfo();
    const peer = peers.get(keyOf(remoteAddress, remotePort));
    const reception = new Reception(places, rules, (refused) => call.sendStatus(refused));
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, go) => {
            const admission = peer === null ? ended : admitted(path, metadata, peer, rules);
            if ('code' in admission) return reception.refuse(admission);
            reception.begin(admission.hasToken);
            if (!reception.isRefused) go(metadata);
          },
          onReceiveMessage: (message, go) => {
            reception.received();
            peer?.spoke();
            if (!reception.isRefused) go(message);
          },
          onCancel: () => reception.end(),
        });
      },
      sendStatus: (sent, go) => {
        reception.end();
        go(sent);
      },
    });
  };
}
