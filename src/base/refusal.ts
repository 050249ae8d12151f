/**
 * A refusal is an expected negative result: a code from one closed union, a sentence, and named facts.
 * One table maps each code to its HTTP status, exit code and title.
 */
export interface FieldError {
  /** Path of the member, such as `work.items[3].cost`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
}

/** What is wrong in a file that was read for a mission. The message names the column, rows and cell. */
export interface FileError {
  readonly file: string;
  readonly sheet?: string;
  readonly column?: string;
  readonly rows: readonly number[];
  readonly cell?: string;
  readonly message: string;
  /** The flag that helps. */
  readonly hint?: string;
}

/** A question that a file leaves open, and what may be answered. */
export interface OpenChoice {
  readonly about: string;
  readonly message: string;
  readonly flag: string;
  readonly readings: readonly { readonly label: string; readonly option: object }[];
}

export interface Refusal {
  readonly code: RefusalCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** In place of `errors`, for files. */
  readonly faults?: readonly FileError[];
  readonly choices?: readonly OpenChoice[];
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The command that fixes the problem, when there is one. */
  readonly hint?: string;
}

interface Meaning {
  readonly status: number;
  readonly exit: number;
  readonly title: string;
}

const meaning = (status: number, exit: number, title: string): Meaning => ({ status, exit, title });

export const refusals = {
  malformed: meaning(400, 2, 'Malformed input'),
  unauthorized: meaning(401, 2, 'Unauthorized'),
  forbidden: meaning(403, 2, 'Forbidden'),
  not_found: meaning(404, 2, 'Not found'),
  exists: meaning(409, 2, 'Already exists'),
  too_large: meaning(413, 2, 'Too large'),
  too_many_requests: meaning(429, 7, 'Too many requests'),
  invalid: meaning(422, 2, 'Invalid input'),
  choice_needed: meaning(422, 2, 'Choice needed'),
  integrity: meaning(500, 3, 'Integrity failure'),
  rollback: meaning(500, 3, 'Journal rolled back'),
  fork: meaning(500, 3, 'Journal forked'),
  verification_failed: meaning(409, 3, 'Verification failed'),
  conflict: meaning(409, 4, 'Conflict'),
  stale_revision: meaning(409, 4, 'Stale revision'),
  hash_mismatch: meaning(409, 4, 'Result hash mismatch'),
  request_id_reused: meaning(409, 4, 'Request id reused'),
  wrong_state: meaning(409, 4, 'Wrong state'),
  newer_version: meaning(409, 4, 'Newer version'),
  unreleased_home: meaning(409, 4, 'Unreleased home'),
  approver_unknown: meaning(409, 4, 'Approver unknown'),
  key_unknown: meaning(409, 4, 'Key unknown'),
  key_removed: meaning(409, 4, 'Key removed'),
  signature_invalid: meaning(409, 4, 'Signature invalid'),
  subject_mismatch: meaning(409, 4, 'Subject mismatch'),
  subject_expired: meaning(409, 4, 'Subject expired'),
  self_approval: meaning(409, 4, 'Self approval'),
  already_approved: meaning(409, 4, 'Already approved'),
  approvals_required: meaning(409, 4, 'Approvals required'),
  not_paused: meaning(409, 4, 'Not paused'),
  in_use: meaning(409, 4, 'In use'),
  paused: meaning(409, 5, 'Paused'),
  lease_active: meaning(409, 6, 'Lease active'),
  not_yet: meaning(409, 6, 'Not yet'),
  engine_unavailable: meaning(503, 7, 'Engine unavailable'),
  provider_unconfigured: meaning(503, 7, 'Provider not configured'),
  chain_unconfigured: meaning(503, 7, 'Chain not configured'),
  code_not_allowed: meaning(503, 7, 'Code execution not allowed'),
  tool_disabled: meaning(503, 7, 'Tool disabled'),
  port_taken: meaning(503, 7, 'Port taken'),
  busy: meaning(503, 7, 'Busy'),
  chain_unreachable: meaning(502, 7, 'Chain unreachable'),
  provider_failed: meaning(502, 1, 'Provider failed'),
  execution_failed: meaning(502, 1, 'Execution failed'),
  settlement_refused: meaning(409, 1, 'Settlement refused'),
  storage_full: meaning(507, 1, 'Storage full'),
  not_writable: meaning(503, 1, 'Storage not writable'),
  interrupted: meaning(503, 130, 'Interrupted'),
} as const satisfies Record<string, Meaning>;

export type RefusalCode = keyof typeof refusals;

export const invalid = (path: string, message: string): Refusal => ({
  code: 'invalid',
  detail: path === '' ? message : `${path}: ${message}`,
  errors: [{ path, message }],
});

const shown_errors = 20;

/** Returns the refusal of a value with several errors: its detail is the first one, its `errors` are the first 20. */
export function invalidBy(errors: readonly FieldError[]): Refusal {
  const [{ path, message } = { path: '', message: 'invalid' }] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return { ...invalid(path, `${message}${more}`), errors: errors.slice(0, shown_errors) };
}

/** Returns the refusal of a write that the system does not take. @param cause the system's name of the error, such as EROFS */
export const notWritable = (detail: string, cause: string): Refusal => ({
  code: 'not_writable',
  detail: `${detail} (${cause})`,
  facts: { cause },
});
