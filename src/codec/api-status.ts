/** The agent's overall state as the operator's HTTP API returns it. */
import type * as t from 'io-ts';
import { address, environment } from './chain.js';
import { inferenceModes } from './chat-completion.js';
import { requiredFor, choice, flag, integer, list, mapOf, nullable, object, optional, required, text } from './kit.js';
import { count, hash, identity, time, uuid } from './scalars.js';
import { kind } from './kinds.js';
import { missionStates } from './record.js';
import { tokenRole } from './events/token.js';

const controlState = choice('ready', 'paused');

const capability = object('Capability', { kind: required(kind), available: required(flag), detail: required(text()) });

export type Capability = t.TypeOf<typeof capability>;

const chainStatus = object('ChainStatus', {
  chain_id: required(integer(1, Number.MAX_SAFE_INTEGER)),
  environment: required(environment),
  token: required(address),
  /** Blocks from the paying one to the head, both counted, that a payment needs. */
  confirmations: required(count),
  /** The share of a payment that its receipt earmarks, in basis points. */
  reinvest_bps: required(count),
});

export const configStatus = object('ConfigStatus', {
  /** Whether config.json is the configuration that the journal signs; if not, only pauses, failures, cancellations and revocations of tokens are recorded. */
  valid: required(flag),
  /** Why it is not; null when it is. */
  reason: required(nullable(text())),
});
export type ConfigStatus = t.TypeOf<typeof configStatus>;

export const statusCodec = object('Status', {
  version: required(text()),
  /** The directory of the home that the daemon works on, for commands that are given elsewhere. */
  home: required(text()),
  /** The last known name while config.json is not the signed one; empty when none was read yet. */
  name: required(text()),
  config: required(configStatus),
  identity: required(identity),
  public_key: required(hash),
  journal: required(
    object('JournalStatus', {
      /** The outcome of the last verification of the whole journal; null before there was one. */
      valid: required(nullable(flag)),
      events: required(count),
      head: required(hash),
      root: required(hash),
      /** When it ended; before the first one of this daemon, when the whole journal passed one last. */
      verified_at: required(nullable(time)),
    }),
  ),
  control: required(controlState),
  /** Why nothing can be recorded in this home; absent where it can. */
  unwritable: optional(text()),
  /** The language model that the configuration names; null for none. */
  inference: required(
    nullable(object('InferenceStatus', { model: required(text()), mode: required(choice(...inferenceModes)) })),
  ),
  sandbox: required(
    object('SandboxStatus', {
      /** Whether the configuration allows code execution. */
      allowed: required(flag),
      /** AGENT_SANDBOX_IMAGE; null when it is not set. `doctor` says whether an engine can use it. */
      image: required(nullable(text())),
    }),
  ),
  /** The chain that the configuration names, without the address of its node; null for none. */
  chain: required(nullable(chainStatus)),
  capabilities: required(list(capability, 5, 5)),
  /** The configuration's effort of a search and the ceiling of what missions may name. */
  effort: required(object('EffortStatus', { max_evaluations: required(count), effort_max: required(count) })),
  counts: required(object('Counts', requiredFor(missionStates, count))),
  actor: required(
    object('Actor', {
      name: required(text()),
      role: required(tokenRole),
      /** The approver for whom the token acts; absent for none. */
      approver: optional(text()),
    }),
  ),
  /** Missions that this daemon executes now. */
  executing: required(list(uuid, 0, 1_024)),
  executing_max: required(count),
});

export type Status = t.TypeOf<typeof statusCodec>;

const check = object('Check', {
  name: required(text()),
  status: required(choice('ok', 'warn', 'fail')),
  detail: required(text()),
  /** The command that fixes it, or null. */
  fix: required(nullable(text())),
});
export type Check = t.TypeOf<typeof check>;

export const doctorCodec = object('Doctor', {
  version: required(text()),
  identity: required(identity),
  public_key: required(hash),
  events: required(count),
  head: required(hash),
  control: required(text()),
  capabilities: required(list(capability, 5, 5)),
  missions: required(mapOf(count)),
  checks: required(list(check, 0, 100)),
});

export type DoctorReport = t.TypeOf<typeof doctorCodec>;

export const controlDocument = object('Control', { state: required(controlState) });
export type Control = t.TypeOf<typeof controlDocument>;
