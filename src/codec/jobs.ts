/** What homes and workers send each other through a queue. */
import type * as t from 'io-ts';
import { choice, flag, integer, list, nullable, number, object, required, text } from './kit.js';
import { count, hash, id } from './scalars.js';

/** The version of these messages; workers and homes with another version do not see each other's jobs. */
export const job_protocol = 1;

/** What a job computes: an epoch of an island, a whole run of the simulation, or the search of a mission. */
export const jobTypes = ['epoch', 'run', 'mission'] as const;
export type JobType = (typeof jobTypes)[number];

const name = id;
/** An Ed25519 public key, 64 hexadecimal digits. */
export const workerKey = text({ pattern: /^[0-9a-f]{64}$/ });
const signature = text({ pattern: /^[A-Za-z0-9+/]{86}==$/ });

export const jobHeader = object('Job', {
  type: required(choice(...jobTypes)),
  task: required(name),
  name: required(name),
  input_sha256: required(hash),
  /** Whether the input is in the object store instead of in the message. */
  is_stored: required(flag),
  /** Keys whose workers must leave the job to others. */
  not_by: required(list(workerKey, 0, 64)),
});
export type JobHeader = t.TypeOf<typeof jobHeader>;

/** What a worker signs. */
const claim = {
  task: required(name),
  name: required(name),
  delivery: required(count),
  release: required(name),
  input_sha256: required(hash),
  output_sha256: required(hash),
  key: required(workerKey),
};
export const jobClaim = object('JobClaim', claim);
export type JobClaim = t.TypeOf<typeof jobClaim>;

export const resultHeader = object('JobResult', {
  ...claim,
  signature: required(signature),
  is_stored: required(flag),
});

/** What a worker says of itself once a second. `progress` grows with each checkpoint of the computing thread. */
export const workerBeat = object('WorkerBeat', {
  key: required(workerKey),
  /** Drawn at the start of the process. */
  instance: required(name),
  /** Printed on terminals. */
  version: required(text({ pattern: /^[ -~]{0,100}$/ })),
  release: required(name),
  done: required(count),
  jobs: required(
    list(
      object('JobBeat', {
        task: required(name),
        name: required(name),
        delivery: required(count),
        progress: required(count),
        /** The finished share of the job; null for a job that reports none. */
        share: required(nullable(number(0, 1))),
      }),
      0,
      64,
    ),
  ),
  is_ending: required(flag),
});
export type WorkerBeat = t.TypeOf<typeof workerBeat>;

/** What is known of a worker: `refuted` after a wrong result. */
export const workerStates = ['idle', 'working', 'gone', 'refuted', 'other_version'] as const;

/** A worker as people see it. */
export const workerState = object('WorkerState', {
  key: required(workerKey),
  version: required(text({ max: 100 })),
  state: required(choice(...workerStates)),
  /** Unix time of its last message, in seconds. */
  last_beat: required(integer(0, Number.MAX_SAFE_INTEGER)),
  done: required(count),
});
export type WorkerState = t.TypeOf<typeof workerState>;
