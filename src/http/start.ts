/** Starts the daemon of a home and the servers over it: the operator's, the simulation's, or both. */
import { Alerts, watchDisk } from '../app/alerts/alerts.js';
import { Notices } from '../app/notices/notices.js';
import type { AlertType } from '../codec/api-alerts.js';
import type { NoticeKind } from '../codec/config.js';
import type { BusFigures, BusSettings } from '../app/bus/settings.js';
import { type Daemon, type DaemonOptions, startDaemon } from '../app/daemon/daemon.js';
import { noteAddress } from '../app/home/files.js';
import type { World } from '../app/home/home.js';
import { failRunsOfEarlierDaemon } from '../app/simulation/runs/runs.js';
import { RefusalError } from '../base/refusal.js';
import { type OperatorServer, type OperatorServing, startOperatorServer } from './operator/serve.js';
import { type SimulationServer, type SimulationServing, startSimulationServer } from './simulation/serve.js';

interface DaemonPart {
  readonly daemon?: Omit<DaemonOptions, 'onWarning'>;
  /** Also serves the message bus, on a port of its own. */
  readonly bus?: BusSettings | null | undefined;
  /** The address that receives alerts; they are kept for the console in any case. */
  readonly webhook?: URL | null | undefined;
}

export interface ServeOptions extends Omit<OperatorServing, 'world' | keyof SharedParts>, DaemonPart {
  /** Also serves the simulation, on a port of its own. */
  readonly simulation?: Omit<SimulationServing, 'host' | 'logger' | keyof SharedParts> | undefined;
}

interface Serving {
  readonly port: number;
  readonly daemon: Daemon;
  /** The address at which the bus is served, or null. */
  readonly bus: { readonly host: string; readonly port: number } | null;
  /** Finishes the requests in progress while executions end, then ends the feed and closes the home; bounded by the longest of their deadlines. */
  readonly stop: () => Promise<void>;
}

/** The operator's server, and the simulation's if requested. */
export interface Servers extends Serving {
  readonly simulation: SimulationServer | null;
  readonly issueLogin: OperatorServer['issueLogin'];
}

/** Takes the home's lock first, then the ports of the bus, the simulation and the operator. If one is taken, nothing stays half started. */
export function startServers(world: World, options: ServeOptions): Promise<Servers> {
  const { logger, host, simulation: wanted } = options;
  return overDaemon(world, options, async (daemon, shared) => {
    const simulationLog = logger.child({ server: 'simulation' });
    const simulation =
      wanted === undefined ? null : await startSimulationServer(daemon, { ...wanted, host, logger: simulationLog, ...shared });
    try {
      const operator = await startOperatorServer(daemon, { ...options, world, ...shared });
      const { port, issueLogin } = operator;
      noteAddress(daemon.home.paths.daemon, { console: `http://localhost:${port}/` });
      return { port, issueLogin, simulation, stop: () => Promise.all([operator.stop(), simulation?.stop()]) };
    } catch (error) {
      await simulation?.stop();
      throw error;
    }
  });
}

/** The simulation's server without the operator's. */
export const startSimulationAlone = (
  world: World,
  options: Omit<SimulationServing, keyof SharedParts> & DaemonPart,
): Promise<Serving> => overDaemon(world, options, (daemon, shared) => startSimulationServer(daemon, { ...options, ...shared }));

/** What both servers use. */
interface SharedParts {
  readonly bus: BusFigures | null;
  readonly alerts: Alerts;
}

interface RunningServer {
  readonly port: number;
  readonly stop: () => Promise<unknown>;
}

/** Starts the daemon and the bus, then runs `start` over them. Stops both if `start` fails, and after the servers have stopped. */
async function overDaemon<S extends RunningServer>(
  world: World,
  { logger, daemon: options, bus: wanted = null, webhook = null }: Pick<ServeOptions, 'logger' | keyof DaemonPart>,
  start: (daemon: Daemon, shared: SharedParts) => Promise<S>,
): Promise<Omit<S, 'stop'> & Serving> {
  const onWarning = (message: string): void => logger.warn(message);
  let notices: Notices | null = null;
  // A notice that was not delivered is no reason for another one.
  const onRaised = (type: AlertType): void => void (type !== 'notice_failed' && notices?.alert(type));
  const alerts = new Alerts({ webhook, clock: world.clock, onWarning, onRaised });
  const daemon = await startDaemon(world, {
    ...options,
    onWarning,
    raise: alerts.raise,
  });
  await failRunsOfEarlierDaemon(daemon.home, onWarning, alerts.raise);
  const { unwritable, paths } = daemon.home;
  const disk = unwritable === null ? watchDisk(paths.directory, alerts.raise) : null;
  const end = async (requests?: Promise<unknown>): Promise<void> => {
    disk?.stop();
    // The missions that the stop interrupts are alerts, which notices keep for the next start.
    await daemon.stop(requests);
    await notices?.stop();
    await alerts.stop();
  };
  let bus: Bus | null = null;
  let started: S;
  try {
    bus = wanted === null ? null : await startWantedBus(daemon, wanted, logger);
    started = await start(daemon, { bus: bus?.figures ?? null, alerts });
    if (unwritable === null) {
      const onFailed = (kind: NoticeKind): void => alerts.raise({ type: 'notice_failed', kind });
      notices = new Notices(daemon.home, { console: `http://localhost:${started.port}/`, onWarning, onFailed });
      notices.start(daemon.feed);
      for (const { type } of alerts.document().items.toReversed()) onRaised(type);
    }
  } catch (error) {
    await bus?.stop();
    await end();
    throw error;
  }
  const stop = async (): Promise<void> => {
    const requests = Promise.all([started.stop(), bus?.stop()]);
    await Promise.all([requests, end(requests)]);
  };
  let stopped: Promise<void> | null = null;
  return { ...started, daemon, bus, stop: () => (stopped ??= stop()) };
}

type Bus = NonNullable<Awaited<ReturnType<typeof startWantedBus>>>;

/** Starts the bus; null, with a warning, when the port that nobody chose is taken. */
async function startWantedBus(daemon: Daemon, settings: BusSettings, logger: ServeOptions['logger']) {
  // Loaded here, because a daemon without a bus needs none of it.
  const { startBus } = await import('../bus/serve.js');
  const log = logger.child({ server: 'bus' });
  try {
    return await startBus(daemon.home, { settings, onWarning: (message) => log.warn(message) });
  } catch (error) {
    if (settings.isPortNamed || !(error instanceof RefusalError) || error.refusal.code !== 'port_taken') throw error;
    log.warn(`the message bus is not served: ${error.message}`);
    return null;
  }
}

/**
 * Reports every entry until the signal aborts and the servers have stopped, as what the stop interrupts is recorded. Returns the number of entries.
 * @throws the error that ended the daemon by itself, once the servers have stopped
 */
export async function followUntil(
  { daemon, stop }: Serving,
  signal: AbortSignal,
  onEntry: (entry: { readonly sequence: number; readonly stream: string; readonly event: string }) => void,
): Promise<number> {
  let seen = 0;
  // The feed ends when the daemon has stopped. A failure to stop is thrown below, where it is awaited.
  const failed = new AbortController();
  const end = (): void => void stop().catch(() => failed.abort());
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    for await (const item of daemon.feed.follow(daemon.feed.newest(), failed.signal)) {
      if (item.type !== 'entry') continue;
      seen++;
      onEntry({ sequence: item.sequence, stream: item.stream, event: item.event });
    }
  } finally {
    await stop();
  }
  await daemon.ended;
  return seen;
}
