import type { Refusal } from './refusal.js';

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

/** Returns the message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the system's error code (`ENOSPC`, `SQLITE_FULL`), or an empty text. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

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
