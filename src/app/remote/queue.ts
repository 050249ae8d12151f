/** Which missions the workers of a queue compute, and whose results count. */
import { Fault } from '../../base/fault.js';
import { local_execution, type Config } from '../../codec/config.js';
import type { Kind } from '../../codec/kinds.js';
import { readNatsAddress, type NatsAddress } from '../../codec/nats-url.js';
import { missionKind } from '../../kinds/table.js';
import { readNatsCredentials, type NatsCredentials } from '../../nats/credentials.js';
import type { Home } from '../home/home.js';
import { isAccepted } from '../jobs/accepted.js';
import { acceptedKeys } from '../jobs/keys.js';

type Execution = Pick<Config, 'execution' | 'execution_check'>;

/** A queue whose workers compute missions. */
export interface MissionQueue {
  readonly address: NatsAddress;
  readonly credentials: NatsCredentials;
  readonly check: Config['execution_check'];
}

/** Returns the address of the configured queue, or null when missions are computed on this machine. */
export function queueAddress({ execution }: Execution): NatsAddress | null {
  if (execution === local_execution) return null;
  const address = readNatsAddress(execution);
  if (typeof address === 'string') throw new Fault(`the configured execution ${address}`);
  return address;
}

/** Returns whether missions of a kind are computed by workers. */
export const isComputedByWorkers = ({ execution }: Execution, kind: Kind): boolean =>
  execution !== local_execution && missionKind(kind).usesWorkers;

/** Returns the queue of a kind's missions, or null. @throws RefusalError `invalid` for credentials that cannot be used */
export function missionQueue({ world }: Pick<Home, 'world'>, config: Execution, kind: Kind): MissionQueue | null {
  const address = isComputedByWorkers(config, kind) ? queueAddress(config) : null;
  if (address === null) return null;
  return { address, credentials: readNatsCredentials(world.env), check: config.execution_check };
}

/** Which keys count at one moment. */
export interface Trust {
  readonly accepts: (key: string) => boolean;
  /** How a result is checked: by a second key only where two were added, since anybody can make keys that nobody added. */
  readonly check: Config['execution_check'];
}

export function trustOf(home: Pick<Home, 'db'>, { address, check }: Pick<MissionQueue, 'address' | 'check'>): Trust {
  const accepted = acceptedKeys(home);
  const known = (accepted.keys ?? []).filter((key) => !accepted.refuted.includes(key));
  return { accepts: (key) => isAccepted(accepted, address, key), check: known.length < 2 ? 'home' : check };
}
