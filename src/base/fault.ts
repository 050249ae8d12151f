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

/** Returns the system's error code (`ENOSPC`, `SQLITE_FULL`), or an empty text. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
