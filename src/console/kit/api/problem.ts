/** A failure, as the agent reports it (RFC 9457 problem document) or as the page noticed it. */
import type { FieldError } from '../../../base/refusal.js';

type ProblemCode = string;

interface ProblemDocument {
  readonly code: ProblemCode;
  /** 0 if no response came. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly facts: Readonly<Record<string, unknown>>;
  /** The command that fixes it. */
  readonly hint: string | null;
  /** Seconds until the server accepts the request again; null if it names none. */
  readonly retryAfter: number | null;
}

/** Thrown by every call of the API that did not succeed. */
export class Problem extends Error {
  constructor(readonly document: ProblemDocument) {
    super(`${document.code}: ${document.detail}`);
    this.name = 'Problem';
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

function errorsOf(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) =>
    isRecord(each) && typeof each['message'] === 'string' ? [{ path: textOf(each['path'], ''), message: each['message'] }] : [],
  );
}

/**
 * Returns the problem that a response without success reports; one without a problem document still has its status.
 * @param retryAfter the response's Retry-After field; a date counts as none (RFC 9110, section 10.2.3)
 */
export function problemOf(status: number, statusText: string, body: unknown, retryAfter: string | null = null): Problem {
  const document = isRecord(body) ? body : {};
  return new Problem({
    code: textOf(document['code'], `http_${status}`),
    status,
    title: textOf(document['title'], statusText),
    detail: textOf(document['detail'], ''),
    errors: errorsOf(document['errors']),
    facts: isRecord(document['facts']) ? document['facts'] : {},
    hint: typeof document['hint'] === 'string' ? document['hint'] : null,
    retryAfter: /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : null,
  });
}

/** Returns a problem that the page itself noticed. Its code is `network` (no response), `unexpected` (a response of another shape) or `file`. */
export const localProblem = (code: 'network' | 'unexpected' | 'file', detail: string): Problem =>
  new Problem({ code, status: 0, title: '', detail, errors: [], facts: {}, hint: null, retryAfter: null });

/** Returns any thrown value as a problem: an unexpected exception is shown like every other failure. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return localProblem('unexpected', error instanceof Error ? error.message : String(error));
}
