/**
 * A refusal is an expected negative result: a code from one closed union, a sentence, and named facts. One table maps each code to its HTTP status,
 * exit code and title. A fault is not expected. docs/decisions/0012 says which is returned and which is thrown.
 */
import * as E from 'fp-ts/lib/Either.js';
import { Refuted } from './web-crypto.js';

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

type Meaning = Readonly<ReturnType<typeof meaning>>;

const meaning = (status: number, exit: number, title: string) => ({ status, exit, title });

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

/** @example throw new RefusalError(invalid('work.items[3].cost', 'must be at least 0')) */
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

/** Returns the refusal of a write for which the disk has no space. */
export const storageFull = (detail: string): Refusal => ({
  code: 'storage_full',
  detail,
  hint: 'free some space and repeat the command',
});

/** Returns why nothing more can be written to a disk. @param code the system's name of the error */
export const noSpace = (code: string): string =>
  code === 'EDQUOT' ? 'the quota of this user on the disk is used up' : 'no space left on the disk';

/** Returns the refusal of a write that the system does not take. @param cause the system's name of the error, such as EROFS */
export const notWritable = (detail: string, cause: string): Refusal => ({
  code: 'not_writable',
  detail: `${detail} (${cause})`,
  facts: { cause },
});

/** What pure code (base, codec, domain, engines) returns: `Right` has the value, `Left` the refusal. Everything above throws `RefusalError`. */
export type Result<A, R extends Refusal = Refusal> = E.Either<R, A>;
export const ok = <A>(value: A): Result<A> => E.right(value);
export const refuse = <R extends Refusal>(refusal: R): Result<never, R> => E.left(refusal);
export const isRefused = E.isLeft;

/** Returns the value of a result. @throws RefusalError with the refusal of one that has none */
export function unwrap<A>(result: Result<A>): A {
  if (E.isLeft(result)) throw new RefusalError(result.left);
  return result.right;
}

/** A refusal on its way to the boundary, where one handler converts it; thrown in a journal command, it undoes that command. */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal);
  constructor(code: RefusalCode, detail: string, more?: Omit<Refusal, 'code' | 'detail'>);
  constructor(given: Refusal | RefusalCode, detail = '', more = {}) {
    const refusal = typeof given === 'string' ? { code: given, detail, ...more } : given;
    super(`${refusal.code}: ${refusal.detail}`);
    this.name = 'RefusalError';
    this.refusal = refusal;
  }
}

/** Returns what is read of an input. @throws RefusalError `invalid` for one that is refuted */
export async function validOf<A>(path: string, read: () => A | Promise<A>): Promise<A> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof Refuted ? new RefusalError(invalid(path, error.message)) : error;
  }
}

/** The error for a bug or a broken environment: unlike a refusal it is not expected. It keeps its cause, and the command fails closed. */
export class Fault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Fault';
  }
}

/** The fault of a commit that failed: what it should have recorded may be recorded. */
export class UnknownOutcome extends Fault {}

/** The fault of a step that follows a commit: its message says what is recorded. */
export class RecordedFault extends Fault {
  /** @param remains the command that completes what is recorded, or null */
  constructor(
    message: string,
    readonly remains: string | null,
    cause: unknown,
  ) {
    super(message, cause);
  }
}

/** The refusal of a step that follows a commit: its detail says what is recorded. */
export class RecordedRefusal extends RefusalError {}

/** Returns the message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** EDQUOT, which Node has no name for, on Linux and on macOS. */
const over_quota: readonly unknown[] = [-122, -69];

/** Returns the system's error code (`ENOSPC`, `SQLITE_FULL`), or an empty text. `rmSync` of Node 24 may give none: `UNKNOWN`. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  const isUnnamed = /^(?:unknown|$)/i.test(error.code) && 'errno' in error;
  return isUnnamed && over_quota.includes(error.errno) ? 'EDQUOT' : error.code || (isUnnamed ? 'UNKNOWN' : '');
}

/** What the operating system lacks, by the error code that says so. */
const shortages: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files in this process',
  ENFILE: 'too many open files on this machine',
  ENOMEM: 'not enough memory',
  EAGAIN: 'too many threads or processes',
};

/**
 * Returns what the operating system lacks if that is why an error occurred, as `: EMFILE, too many open files in this process`, or
 * an empty text. The error of a thread that could not start names the code only in its message.
 */
export function shortageOf(error: unknown): string {
  const text = error instanceof Error ? `${errorCode(error)} ${error.message}` : String(error);
  const code = /\b(?:EMFILE|ENFILE|ENOMEM|EAGAIN)\b/.exec(text)?.[0] ?? '';
  return code === '' ? '' : `: ${code}, ${shortages[code] ?? ''}`;
}

/** Returns the refusal where a file could not be opened because too many are open; null for another error. @param what names the file */
export function openFilesRefusal(error: unknown, what: string): Refusal | null {
  const code = errorCode(error);
  if (code !== 'EMFILE' && code !== 'ENFILE') return null;
  return {
    code: 'busy',
    detail: `${what} cannot be opened${shortageOf(error)}`,
    ...(code === 'EMFILE' ? { hint: 'ulimit -n 1024' } : {}),
  };
}

/** Returns the refusal of a file that cannot be read. @param what names the file */
export function unreadableRefusal(error: unknown, what: string): Refusal {
  const code = errorCode(error);
  if (code === 'EIO') return { code: 'integrity', detail: `${what} cannot be read, because the disk failed (EIO)` };
  const meaning = code === 'EACCES' || code === 'EPERM' ? 'forbidden' : 'not_found';
  return openFilesRefusal(error, what) ?? { code: meaning, detail: `${what} cannot be read (${code || 'no such file'})` };
}
