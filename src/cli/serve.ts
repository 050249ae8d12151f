/** The settings of `serve` from its flags and the environment, and its log for people. */
import type { Daemon } from '../app/daemon/daemon.js';
import type { InitReport } from '../app/home/init.js';
import type { SimulationSettings } from '../app/simulation/settings.js';
import { isLoopbackHost } from '../base/loopback.js';
import { invalid, RefusalError } from '../base/refusal.js';
import { listSetting } from '../base/setting.js';
import { printable } from '../base/text.js';
import type { Colour } from '../pictures/screen.js';
import { leaveTerminal } from './hangup.js';
import { paint } from './text.js';

/** A shorter API_TOKEN is refused where other machines reach the server. */
const api_token_chars_min = 16;
/** The same signal again within this time counts as the first one. */
const signal_echo_ms = 1_000;

interface ServeFlags {
  readonly host: string;
  readonly port?: number | undefined;
  readonly allowRemote: boolean;
}

const port_default = 8_765;
const port_max = 65_535;
/** `--host` with one of these listens on both addresses, so that no other program of this machine can take the console's place on one. */
const both_loopbacks: readonly string[] = ['localhost', '127.0.0.1', '::1'];
const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?$/i;

/**
 * Returns where to listen, and the host names, besides the loopback ones, for which the server responds. A flag takes precedence over its
 * variable; port 0 takes any free port. @throws RefusalError for an address that is not allowed
 */
export function listeningOf(given: ServeFlags, env: Readonly<Record<string, string | undefined>>) {
  const named = hostOf(given.host);
  const host = both_loopbacks.includes(named.toLowerCase()) ? 'localhost' : named;
  if (host === '') throw new RefusalError(invalid('host', 'must not be empty'));
  const isLocal = isLoopbackHost(host);
  if (!isLocal && !given.allowRemote) {
    throw new RefusalError(
      invalid(
        'host',
        `${printable(host)} is not a loopback address, so other machines could connect; to allow that, add --allow-remote`,
      ),
    );
  }
  const allowedHosts = listSetting(env['AGENT_ALLOWED_HOSTS']);
  if (!allowedHosts.every((name) => hostForm.test(name))) {
    throw new RefusalError(invalid('AGENT_ALLOWED_HOSTS', 'must be names, each with or without a port, separated by commas'));
  }
  const port = given.port === undefined ? portOf(env['AGENT_PORT']) : inRange(given.port);
  if (port === null) {
    const member = given.port === undefined ? 'AGENT_PORT' : 'port';
    throw new RefusalError(invalid(member, `must be an integer from 0 to ${port_max}; 0 takes any free port`));
  }
  return { host, port, allowedHosts, warnings: warningsOf(host, allowedHosts) };
}

/**
 * Returns the address of `--host`, without the brackets of an IPv6 one. Callers refuse an empty one: to Node it means every
 * address.
 */
export const hostOf = (given: string): string => given.replace(/^\[(.*)\]$/, '$1');

/** Returns the warnings about a host that other machines can reach. */
export const reachWarnings = (host: string): readonly string[] =>
  isLoopbackHost(host)
    ? []
    : [`${host} can be reached from other machines, and HTTP is not encrypted: put a proxy with TLS in front`];

/** Returns the warning about a token that can be guessed. @throws RefusalError for such a token where other machines can guess it */
export function tokenWarnings(host: string, { token }: Pick<SimulationSettings, 'token'>): readonly string[] {
  if (token.length >= api_token_chars_min) return [];
  const short = `has fewer than ${api_token_chars_min} characters and can be guessed; make one with openssl rand -hex 32`;
  if (isLoopbackHost(host)) return [`API_TOKEN ${short}`];
  throw new RefusalError(invalid('API_TOKEN', `${short}: ${printable(host)} can be reached from other machines`));
}

const portOf = (text = ''): number | null =>
  text === '' ? port_default : inRange(/^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN);
const inRange = (port: number): number | null => (port >= 0 && port <= port_max ? port : null);

function warningsOf(host: string, allowed: readonly string[]): readonly string[] {
  const plain = reachWarnings(host);
  return allowed.length > 0 || plain.length === 0
    ? plain
    : [...plain, 'AGENT_ALLOWED_HOSTS names no host, so only loopback names are accepted'];
}

export type ServerSettings = Readonly<Awaited<ReturnType<typeof serverSettings>>>;

/** Returns the settings of the simulation, the bus and the alerts. `.env` counts only where the simulation is wanted. @throws RefusalError */
export async function serverSettings(isSimulationWanted: boolean) {
  const [{ alertSettings }, { busSettings }, { simulationEnvironment, simulationSettings }, { checkSandboxLimits }] =
    await Promise.all([
      import('../app/alerts/alerts.js'),
      import('../app/bus/settings.js'),
      import('../app/simulation/settings.js'),
      import('../app/code/sandbox.js'),
    ]);
  const env = isSimulationWanted ? simulationEnvironment(process.env, process.cwd()) : process.env;
  const settings = isSimulationWanted ? simulationSettings(env) : null;
  checkSandboxLimits(env);
  return {
    /** Undefined if the simulation is not wanted or has no token. */
    simulation: settings === null ? undefined : { settings },
    bus: busSettings(env),
    /** The address that receives alerts. */
    webhook: alertSettings(env),
    /** The environment, with what `.env` adds. */
    env,
  };
}

/** Names the setting to change when a port is taken, or the two settings that name the same port. */
export async function namingPorts<A>(
  starting: Promise<A>,
  port: number,
  { simulation, bus }: Omit<ServerSettings, 'env'>,
): Promise<A> {
  const ports = [
    ['--port (or AGENT_PORT)', port],
    ['PORT', simulation?.settings.port ?? 0],
    ['AGI_INSIGHT_BUS_PORT', bus?.port ?? 0],
  ] as const;
  return starting.catch((error: unknown) => {
    if (!(error instanceof RefusalError) || error.refusal.code !== 'port_taken') throw error;
    const { detail } = error.refusal;
    const [first, second] = ports.filter(([, each]) => detail.startsWith(`port ${each} of `));
    // The bus says itself what to set.
    if (first === undefined || detail.includes(first[0])) throw error;
    throw second === undefined
      ? new RefusalError('port_taken', detail, { hint: `set ${first[0]} to another port` })
      : new RefusalError('port_taken', `${first[0]} and ${second[0]} are both ${first[1]}`, {
          hint: 'set one of them to another port',
        });
  });
}

/** The addresses and files of a server, as one JSON line. */
export interface Serving extends Pick<InitReport, 'home' | 'token_file' | 'events' | 'head'> {
  readonly type: 'serving';
  readonly url: string;
  /** Null if the simulation is not served. */
  readonly simulation: string | null;
  /** `host:port` of the message bus; null if it is not served. */
  readonly bus: string | null;
  /** The address for AI assistants; absent unless there is one. */
  readonly mcp?: string;
  readonly pid: number;
  /** The console's address with a one-time login code; absent unless one is printed. */
  readonly login_link?: string | undefined;
}

interface RunningServers {
  readonly daemon: Daemon;
  readonly port: number;
  readonly simulation: { readonly port: number } | null;
  readonly bus: Address | null;
}

/** @param login a login code; null for none */
export function servingOf(
  { daemon, port, simulation, bus }: RunningServers,
  host: string,
  login: string | null,
  isMcpServed: boolean,
): Serving {
  const { paths, writer } = daemon.home;
  const { size: events, hash: head } = writer.head;
  const addresses = {
    url: urlOf(host, port),
    simulation: simulation === null ? null : urlOf(host, simulation.port),
    bus: bus === null ? null : addressOf(bus),
    ...(isMcpServed ? { mcp: `${urlOf(host, port)}mcp` } : {}),
  };
  const link = login === null ? {} : { login_link: loginLink(addresses.url, login) };
  const place = { home: paths.directory, token_file: paths.apiToken, pid: process.pid };
  return { type: 'serving', ...addresses, ...place, events, head, ...link };
}

/** Returns the same as lines for people. */
export function servingLines(
  { url, simulation, bus, mcp, home, token_file, pid, events, head, login_link }: Serving,
  isWanted: boolean,
): string[] {
  const without = isWanted ? ['simulation is not served: API_TOKEN is not set'] : [];
  return [
    `serving ${home} at ${events}:${head.slice(0, 16)}, pid ${pid}`,
    `console    ${url}`,
    `token      in ${token_file}`,
    ...(simulation === null ? without : [`simulation ${simulation}`]),
    ...(bus === null ? [] : [`bus        ${bus}`]),
    ...(mcp === undefined ? [] : [`mcp        ${mcp}`]),
    ...(login_link === undefined
      ? []
      : [`login      ${login_link}`, '           opens the console signed in; once, within 2 minutes']),
  ];
}

/**
 * Returns whether `serve` prints a login link: with `--login-link`, or where people read its standard output.
 * @throws RefusalError when a link is demanded and the server does not listen on loopback
 */
export function isLinkWanted(flag: boolean | undefined, host: string, isReadByPeople: boolean): boolean {
  const isLocal = isLoopbackHost(host);
  if (flag === true && !isLocal) throw new RefusalError(invalid('login-link', 'works only while --host is a loopback name'));
  return flag ?? (isLocal && isReadByPeople);
}

/** Returns the console's address with a login code; browsers send nothing of what follows `#`. */
export const loginLink = (url: string, code: string): string => `${url}#login=${code}`;

/** Returns the URL of the console. */
export const urlOf = (host: string, port: number): string => `http://${addressOf({ host, port })}/`;

interface Address {
  readonly host: string;
  readonly port: number;
}

export const addressOf = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Returns a signal that aborts when the process receives a signal to end. `timeout`, `npm` and a terminal send two signals at
 * once, to the process and to its group; a later Ctrl-C or SIGTERM ends the process immediately.
 */
export function endingSignal(): AbortSignal {
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.off('SIGINT', end).off('SIGTERM', end), signal_echo_ms).unref();
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end).once('SIGHUP', leaveTerminal);
  // Without a listener it opens Node's debugger, by which every user of this machine can run code as this one.
  process.on('SIGUSR1', () => undefined);
  // A monitor or a wrong signal name must not end the daemon in the middle of its work.
  process.on('SIGUSR2', () => undefined);
  return ending.signal;
}

const levels: Readonly<Record<number, Colour>> = { 40: 'yellow', 50: 'red', 60: 'red' };
const quiet = new Set(['level', 'time', 'msg', 'request_id']);

/** Formats one line of the structured log for people. */
export function readableLine(line: string): string {
  const record = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const members = Object.entries(record).filter(([name, value]) => !quiet.has(name) && value !== null && value !== '');
  const words = members.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = printable([String(record['msg']), ...words].join(' '));
  const colour = levels[Number(record['level'])];
  const time = paint.err('grey', String(record['time']).slice(11, 19));
  return `${time} ${colour === undefined ? text : paint.err(colour, text)}\n`;
}
