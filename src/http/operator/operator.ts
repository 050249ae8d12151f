/** The services that the operator's endpoints use. */
import type { Registry } from 'prom-client';
import type { Console } from '../../app/operator/console-files.js';
import type { Daemon } from '../../app/daemon/daemon.js';
import { configOrNull } from '../../app/home/config.js';
import type { Home } from '../../app/home/home.js';
import { homeVia } from '../../app/home/via.js';
import { shownToAssistant } from '../../app/missions/assistants.js';
import type { Intake } from '../../app/intake/intake.js';
import type { ApproverLinks } from '../../app/approvals/approvers.js';
import type { Sessions } from '../../app/tokens/authenticate.js';
import { isLoopbackHost } from '../../base/loopback.js';
import type { Alerts } from '../../codec/api-alerts.js';
import type { MissionRecord } from '../../codec/api-missions.js';
import type { ConfigStatus, DoctorReport, Status } from '../../codec/api-status.js';
import type { WorkerState } from '../../codec/jobs.js';
import type { Actor } from '../core/context.js';
import type { Client } from '../core/endpoint.js';
import type { EventStreams } from './events.js';

export interface Operator {
  readonly daemon: Daemon;
  readonly doctor: () => Promise<DoctorReport>;
  readonly status: (actor: Actor) => Status;
  readonly sessions: Sessions;
  readonly approverLinks: ApproverLinks;
  readonly intake: Intake;
  readonly console: Console;
  readonly streams: EventStreams;
  readonly metrics: Registry;
  /** The newest alerts. */
  readonly alerts: () => Alerts;
  /** The workers that execute missions; null while missions are executed on this machine. */
  readonly workers: () => readonly WorkerState[] | null;
  /** Aborts when the daemon begins to stop: requests that wait for an execution then get their response. */
  readonly stopping: AbortSignal;
}

/** Returns a mission's record as the actor may see it. */
export const shownTo = ({ actor }: { readonly actor: Actor }, record: MissionRecord): MissionRecord =>
  actor.role === 'agent' ? shownToAssistant(record) : record;

/** Returns the home for the actor of a request: the channel is recorded with what the request causes. */
export const homeFor = ({ daemon }: Pick<Operator, 'daemon'>, { actor }: { readonly actor: Actor }): Home =>
  homeVia(daemon.home, actor.via);

/** Returns the name in a Host field, without port and brackets; empty without one. */
export const hostName = (host: string | null): string => (host ?? '').replace(/:[0-9]+$/, '').replace(/^\[|\]$/g, '');

/** Returns the origin by which the configuration says that browsers reach the console; empty for none. */
export const consoleOrigin = (home: Pick<Home, 'config'>): string => configOrNull(home)?.console_origin ?? '';

/**
 * Returns the origins of pages of this server on which passkeys are registered and sign, the best one for a link first. At localhost any program
 * of this machine can show a page on another port, and whoever sends a request chooses its Host: so the port is that of the connection.
 */
export function pagesOf(home: Pick<Home, 'config'>, { host, port }: Pick<Client, 'host' | 'port'>): readonly string[] {
  const known = consoleOrigin(home);
  const isLocal = isLoopbackHost(hostName(host));
  const own = isLocal ? new URL(`http://localhost:${port}`).origin : `https://${host ?? ''}`;
  if (known === '') return [own];
  return isLocal ? [known, own] : [known];
}

/** Returns the document, with the warning that config.json is not the signed configuration while it is not. */
export function withConfig<A extends object>(
  { configuration }: Pick<Daemon, 'configuration'>,
  document: A,
): A & { readonly config?: ConfigStatus } {
  const config = configuration();
  return config.valid ? document : { ...document, config };
}
