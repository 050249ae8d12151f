/**
 * The agent's status. It is requested often, so the database and config.json are read again only when one of them has changed:
 * SQLite's `data_version` reveals commits of other connections, the head those of this one, and the file's metadata any edit of
 * config.json.
 */
import * as fs from 'node:fs';
import { environmentOf, tokenAddress } from '../../codec/chain.js';
import { missionStates } from '../../codec/record.js';
import type { Config } from '../../codec/config.js';
import type { Capability, Status } from '../../codec/api-status.js';
import { lookOf } from '../../home/regular-file.js';
import { readHead } from '../../journal/reader.js';
import { readControl } from '../../tables/control.js';
import { countByState } from '../../tables/missions.js';
import { dataVersion } from '../../store/database.js';
import { isRefused } from '../../base/refusal.js';
import { type Kind, kinds } from '../../codec/kinds.js';
import { missionKind, needsSandbox } from '../../kinds/table.js';
import { newestCheckpoint } from '../log/checkpoint.js';
import type { Daemon } from '../daemon/daemon.js';
import { configOrNull, providerOf, signedConfig } from '../home/config.js';
import { type Home, programVersion, type World } from '../home/home.js';
import { remembered } from '../home/witness.js';
import { isComputedByWorkers } from '../workers/mission-queue.js';

interface Standing {
  readonly name: string;
  readonly inference: Status['inference'];
  /** The signed one; null if it cannot be read. */
  readonly config: Config | null;
  readonly events: number;
  readonly head: string;
  /** The root of the newest checkpoint, in hexadecimal. */
  readonly root: string;
  readonly control: Status['control'];
  readonly counts: Status['counts'];
}

/** Returns a function that returns the current state; the same object while nothing changes. */
function standingReader(home: Home): () => Standing {
  let seen = '';
  let standing: Standing | null = null;
  return () => {
    const look = lookOf(fs.lstatSync(home.paths.config, { bigint: true, throwIfNoEntry: false }));
    const now = `${dataVersion(home.db)} ${home.writer.head.hash} ${look}`;
    if (standing !== null && now === seen) return standing;
    standing = read(home);
    seen = now;
    return standing;
  };
}

/** Reads the whole state in one snapshot. */
const read = (home: Home): Standing =>
  home.db.transaction(() => {
    const { size, hash } = readHead(home.db);
    const counts = countByState(home.db);
    const config = configOrNull(home) ?? configOrNull({ config: () => signedConfig(home.db) });
    return {
      name: config?.name ?? '',
      inference: config === null || config.llm_url === '' ? null : { model: config.llm_model, mode: config.llm_response_format },
      config,
      events: size,
      head: hash,
      root: newestCheckpoint(home).root.toString('hex'),
      control: readControl(home.db).state ?? 'paused',
      counts: Object.fromEntries(missionStates.map((state) => [state, counts[state] ?? 0])) as Standing['counts'],
    };
  })();

/** Returns what may be shown of the configured chain: its node's address may hold a key. */
function chainOf(config: Config | null): Status['chain'] {
  if (config === null || config.chain === null) return null;
  const { chain_id, confirmations, reinvest_bps } = config.chain;
  return { chain_id, environment: environmentOf(chain_id), token: tokenAddress, confirmations, reinvest_bps };
}

type Asking = Status['actor'];

/** Returns a function that returns the status for a caller with read access. */
export function statusReader({ home, executions, verification, configuration }: Daemon): (actor: Asking) => Status {
  const standing = standingReader(home);
  const fixed = {
    home: home.paths.directory,
    version: programVersion,
    identity: home.signer.identity,
    public_key: home.signer.publicKey.toString('hex'),
    ...(home.unwritable === null ? {} : { unwritable: home.unwritable.detail }),
  };
  const image = home.world.env['AGENT_SANDBOX_IMAGE'] || null;
  const before = remembered({ world: home.world, origin: home.writer.origin }).passed_at;
  return (actor) => {
    const { name, inference, config, events, head, root, control, counts } = standing();
    const { valid, verified_at } = verification();
    return {
      ...fixed,
      name,
      config: configuration(),
      journal: { valid, events, head, root, verified_at: verified_at ?? before },
      control,
      inference,
      sandbox: { allowed: config?.allow_code_execution ?? false, image },
      chain: chainOf(config),
      capabilities: capabilitiesOf(config, home.world.env),
      effort: { max_evaluations: config?.max_evaluations ?? 0, effort_max: config?.effort_max ?? 0 },
      counts,
      actor: {
        name: actor.name,
        role: actor.role,
        ...(actor.approver === undefined ? {} : { approver: actor.approver }),
      },
      executing: executions.running(),
      executing_max: executions.max(),
    };
  };
}

// What can be executed, by mission kind, and what executes it.

/** @param config null where it cannot be read: then code is not allowed, and no model is configured */
export const capabilitiesOf = (config: Config | null, env: World['env']): readonly Capability[] =>
  kinds.map((kind) => capabilityOf(kind, config, env));

/** Returns which workers a kind's engine runs on, unless it runs on this machine. */
const where = (kind: Kind, config: Config | null): string =>
  config === null || !isComputedByWorkers(config, kind) ? '' : ` on the workers of ${config.execution}`;

function capabilityOf(kind: Kind, config: Config | null, env: World['env']): Capability {
  const { solver } = missionKind(kind);
  if (needsSandbox(kind) && config?.allow_code_execution !== true)
    return { kind, available: false, detail: 'the configuration does not allow code execution' };
  const named = ({ name, version }: { readonly name: string; readonly version: string }): string => `${name} ${version}`;
  const provider = config === null || solver.model === undefined ? null : providerOf(config, env);
  if (provider !== null && isRefused(provider)) return { kind, available: false, detail: provider.left.detail };
  const settings = provider?.right ?? null;
  if (settings === null || solver.model === undefined)
    return { kind, available: true, detail: `${named(solver.engine)}${where(kind, config)}` };
  return { kind, available: true, detail: `${named(solver.model.engine)} with the model ${settings.model}` };
}
