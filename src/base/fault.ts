/** The error for a bug or a broken environment: unlike a refusal it is not expected. It keeps its cause, and the command fails closed. */
export class Fault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Fault';
  }
}

/** Returns the system's error code (`ENOSPC`, `SQLITE_FULL`), or an empty text. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
