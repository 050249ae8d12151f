/** Calls of the agent's HTTP interface. The token is in the closure and nowhere else. */
import type * as t from 'io-ts';
import { messageOf } from '../../../base/refusal.js';
import { noteDate } from './clock.js';
import { decodeResponse, isUnreachable, localProblem, makeReach, type Problem, problemOf } from './problem.js';

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
  const read = async <A>(response: Response, codec: t.Type<A, unknown>): Promise<A> => {
    return decodeResponse(codec, jsonOf(await response.text().catch(broken)));
  };
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
    /** The bytes as they came, with the name that the server gives them. */
    download: async (path: string): Promise<{ readonly blob: Blob; readonly name: string | null }> => {
      const response = await call(path, {});
      const name = /filename="([^"/\\]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
      return { blob: await response.blob(), name };
    },
    /** A response that stays open, for the feed. */
    stream: (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> =>
      call(path, { headers, signal }),
  };
}
