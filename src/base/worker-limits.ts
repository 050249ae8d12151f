/** The limits of work on other machines. A name ends with its unit. */

/** Time without a checkpoint of the computing thread after which a job is delivered again. */
export const job_silence_ms_max = 5_000;
/** Time between two signs of progress that a worker sends to the queue, at most one each. */
export const job_progress_ms = 1_000;
/** Deliveries of one job to workers; after them it is computed at home. */
export const job_deliveries_max = 4;
/**
 * Time that a job which was lost by a worker waits for another one, before it is computed at home; and that a job which cannot be
 * computed there waits for any worker or for the queue.
 */
export const job_redelivered_ms_max = 10_000;
/** Time that a job waits in the queue while workers are alive, before it is computed at home. */
export const job_waiting_ms_max = 120_000;
/** Time between two checks of the jobs in flight. */
export const job_look_ms = 100;
/** Time between two messages of a worker about itself. */
export const worker_beat_ms = 1_000;
/** A worker whose last message is older is shown as gone. */
export const worker_silence_ms_max = 5_000;
/** Time in which a worker must respond before a mission is given to its queue. */
export const worker_response_ms_max = 3_000;
/** Time in which `doctor` collects the workers of a queue. */
export const workers_listed_ms = 2_000;
/** A worker that has been gone for this time is not listed any more. */
export const worker_forgotten_ms = 600_000;
/** Keys of workers whose results count. */
export const worker_keys_max = 1_000;
/** Workers that are listed. */
export const workers_listed_max = 1_000;
/** Time to wait for the first connection before jobs are computed at home. */
export const nats_first_connection_ms_max = 2_000;
export const nats_connect_ms_max = 2_000;
export const nats_request_ms_max = 5_000;
/** Time between two tries to connect. */
export const nats_retry_ms = 250;
export const nats_ping_ms = 5_000;
/** Unanswered pings after which a connection counts as lost. */
export const nats_pings_max = 2;
/** Bytes that travel within a message (NATS admits 1 MiB); more go through the object store. */
export const job_inline_bytes_max = 786_432;
/** Size of the input or output of a job: a population of a million genes, or the outcome of a run. */
export const job_bytes_max = 33_554_432;
/** The queue forgets jobs and results of homes that have gone after this time. */
export const jobs_kept_ms = 86_400_000;
/** The queue recognizes a job that is sent twice within this time. */
export const job_duplicates_ms = 120_000;
/** One epoch in this many is recomputed at home. */
export const epochs_checked_one_in = 8;
/** Attempts of a search on workers; after them it is computed at home. */
export const worker_attempts_max = 3;
export const nats_token_chars_max = 1_024;
export const nats_file_bytes_max = 65_536;
/** Jobs that one worker process computes at once. */
export const worker_threads_max = 64;
