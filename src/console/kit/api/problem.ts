/** A failure, as the agent reports it (RFC 9457 problem document) or as the page noticed it. */
import { messageOf } from '../../../base/refusal.js';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type ProblemCode, problemCodec, type ProblemDocument } from '../../../codec/api-problem.js';
import { fieldErrors, isObject } from '../../../codec/faults.js';
import type { Field } from '../../../codec/field.js';
import { tolerant } from '../../../codec/tolerant.js';

/** What the page itself notices: no response, a response of another shape, a file that cannot be read, a passkey that was not used. */
type LocalCode = 'network' | 'unexpected' | 'file' | 'passkey';

/** The agent's document with nothing left out; `http_404` and the like are the codes of responses without one. */
interface Shown extends Required<Pick<ProblemDocument, 'title' | 'detail' | 'errors' | 'facts'>> {
  readonly code: ProblemCode | LocalCode | `http_${number}`;
  /** 0 if no response came. */
  readonly status: number;
  readonly hint: Exclude<ProblemDocument['hint'], undefined> | null;
  /** Seconds until the server accepts the request again; null if it names none. */
  readonly retryAfter: number | null;
}

/** Thrown by every call of the API that did not succeed. */
export class Problem extends Error {
  constructor(readonly document: Shown) {
    super(`${document.code}: ${document.detail}`);
    this.name = 'Problem';
  }
}

/** Each member is read on its own: a response from something between the page and the agent may have only some of them. */
function member<A, B>({ codec }: Field<A>, value: unknown, fallback: B): A | B {
  const decoded = tolerant(codec).decode(value);
  return E.isRight(decoded) ? decoded.right : fallback;
}

/**
 * Returns the problem that a response without success reports; one without a problem document still has its status.
 * @param retryAfter the response's Retry-After field; a date counts as none (RFC 9110, section 10.2.3)
 */
export function problemOf(status: number, statusText: string, body: unknown, retryAfter: string | null = null): Problem {
  const { fields } = problemCodec;
  const document: { readonly [K in keyof ProblemDocument]?: unknown } = isObject(body) ? body : {};
  return new Problem({
    code: member(fields.code, document.code, `http_${status}` as const),
    status,
    title: member(fields.title, document.title, statusText),
    detail: member(fields.detail, document.detail, ''),
    errors: member(fields.errors, document.errors, []),
    facts: member(fields.facts, document.facts, {}),
    hint: member(fields.hint, document.hint, null),
    retryAfter: /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : null,
  });
}

/** Returns a problem that the page itself noticed. */
export const localProblem = (code: LocalCode, detail: string): Problem =>
  new Problem({ code, status: 0, title: '', detail, errors: [], facts: {}, hint: null, retryAfter: null });

/** Returns any thrown value as a problem: an unexpected exception is shown like every other failure. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return localProblem('unexpected', messageOf(error));
}

/**
 * Decodes a response without the members that the page does not know.
 * @param body undefined for a response that is not JSON
 * @throws Problem that names the first member that does not fit
 */
export function decodeResponse<A>(codec: t.Type<A, unknown>, body: unknown): A {
  const decoded = tolerant(codec).decode(body);
  if (E.isRight(decoded)) return decoded.right;
  const [{ path, message } = { path: '', message: '' }] = fieldErrors(decoded.left);
  const dot = path === '' || path.startsWith('[') ? '' : '.';
  throw localProblem('unexpected', `${codec.name}${dot}${path}: ${message}`);
}

/** Whether the server can be reached: calls report it, the page says it once, and what could not be loaded is loaded again afterwards. */
export type Reach = ReturnType<typeof makeReach>;

export function makeReach() {
  const listeners = new Set<(away: boolean) => void>();
  let away = false;
  return {
    isAway: (): boolean => away,
    /** Reports that a call reached the server, or did not. */
    note: (reached: boolean): void => {
      if (away === !reached) return;
      away = !reached;
      for (const listener of listeners) listener(away);
    },
    /** Calls the listener after each change. Returns a function that ends this. */
    onChange: (listener: (away: boolean) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What a proxy responds with while the server behind it is gone; the server's own refusals carry codes of their own. */
const ofProxies: readonly string[] = ['http_502', 'http_503', 'http_504'];

/** Returns whether a call failed because the server could not be reached. */
export const isUnreachable = ({ document: { code } }: Problem): boolean => code === 'network' || ofProxies.includes(code);
