/**
 * Calls of the agent's HTTP interface, and how they fail: as the agent reports it (RFC 9457 problem document) or as the page noticed it. The token is in the
 * closure and nowhere else.
 */
import type * as t from 'io-ts';
import { messageOf } from '../../../base/refusal.js';
import { noteDate } from './clock.js';
import * as E from 'fp-ts/lib/Either.js';
import { type ProblemCode, problemCodec, type ProblemDocument } from '../../../codec/api-problem.js';
import { fieldErrors, isObject } from '../../../codec/faults.js';
import type { Field } from '../../../codec/field.js';
import { tolerant } from '../../../codec/tolerant.js';

export type Api = ReturnType<typeof apiFor>;

interface Body {
  /** The very text that is sent. */
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * @param token null for calls that need none
 * @param onUnauthorized called when the agent no longer takes the token
 * @param unauthorized the statuses that say so
 */
export function apiFor(token: string | null, onUnauthorized: () => void, unauthorized: readonly number[] = [401]) {
  const reach = makeReach();
  let share_s = 0;
  const failed = (problem: Problem): Problem => {
    reach.note(!isUnreachable(problem));
    return problem;
  };
  /** A page that is left aborts its calls, also while a body arrives; that says nothing about the agent. */
  const broken = (error: unknown): never => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw failed(localProblem('network', messageOf(error)));
  };
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    const bearer = token === null ? {} : { Authorization: `Bearer ${token}` };
    const headers = { ...bearer, ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(path, { ...init, headers, cache: 'no-store', credentials: 'omit', redirect: 'error' }).catch(
      broken,
    );
    noteDate(response.headers.get('date'));
    share_s = Number(response.headers.get('ratelimit-reset')) / Math.max(1, Number(response.headers.get('ratelimit-remaining')));
    if (response.ok) {
      reach.note(true);
      return response;
    }
    const isRoleTooLow = response.headers.get('www-authenticate')?.includes('insufficient_scope') === true;
    if (unauthorized.includes(response.status) && !isRoleTooLow) onUnauthorized();
    const body = jsonOf(await response.text().catch(() => ''));
    throw failed(problemOf(response.status, response.statusText, body, response.headers.get('retry-after')));
  };
  const read = async <A>(response: Response, codec: t.Type<A, unknown>): Promise<A> =>
    decodeResponse(codec, jsonOf(await response.text().catch(broken)));
  return {
    reach,
    /** Returns the seconds until the end of the server's limit for each request that it still accepts until then; 0 without one. */
    share_s: (): number => share_s,
    get: async <A>(path: string, codec: t.Type<A, unknown>, signal?: AbortSignal): Promise<A> =>
      read(await call(path, signal === undefined ? {} : { signal }), codec),
    post: async <A>(path: string, codec: t.Type<A, unknown>, body?: Body): Promise<A> => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const init = { method: 'POST', body: body?.text ?? '', headers: { ...type, ...body?.headers } };
      return read(await call(path, init), codec);
    },
    patch: async <A>(path: string, codec: t.Type<A, unknown>, body: string): Promise<A> =>
      read(await call(path, { method: 'PATCH', body, headers: { 'Content-Type': 'application/json' } }), codec),
    remove: async <A>(path: string, codec: t.Type<A, unknown>): Promise<A> => read(await call(path, { method: 'DELETE' }), codec),
    /** The bytes as they came, with the name that the server gives them, or that of the path. */
    download: async (path: string): Promise<{ readonly blob: Blob; readonly name: string }> => {
      const response = await call(path, {});
      const [, name = path.split('/').at(-1) ?? ''] =
        /filename="([^"/\\]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
      return { blob: await response.blob(), name };
    },
    /** A response that stays open, for the feed. */
    stream: (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> =>
      call(path, { headers, signal }),
  };
}

/** What the page itself notices: no response, a response of another shape, a file that cannot be read, a passkey that was not used. */
type LocalCode = 'network' | 'unexpected' | 'file' | 'passkey';

/** The agent's document with nothing left out; `http_404` and the like are the codes of responses without one. */
interface ProblemView extends Required<Pick<ProblemDocument, 'title' | 'detail' | 'errors' | 'facts'>> {
  readonly code: ProblemCode | LocalCode | `http_${number}`;
  /** 0 if no response came. */
  readonly status: number;
  readonly hint: Exclude<ProblemDocument['hint'], undefined> | null;
  /** Seconds until the server accepts the request again; null if it names none. */
  readonly retryAfter: number | null;
}

/** Thrown by every call of the API that did not succeed. */
export class Problem extends Error {
  constructor(readonly document: ProblemView) {
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
