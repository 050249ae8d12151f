/** The middleware of both servers: failures, which comes first, and framing, whose place the policy chooses. */
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { errorCode } from '../../base/refusal.js';
import type { Context, Middleware, RequestState } from './context.js';
import { other_version, tooLarge } from './head.js';
import { Denied, problem_type, problemOf, securityHeaders, type Denial } from './problem.js';
import type { Settings } from './limits.js';

/**
 * The first middleware: sets the fields of every response, and turns any thrown value into its document. koa's own error response would
 * drop the fields. A connection whose request is not complete ends with the response, because the start of the next one is unknown.
 */
export const failures =
  (states: WeakMap<IncomingMessage, RequestState>, onFault: (error: unknown, state: RequestState) => void): Middleware =>
  async (context, next) => {
    context.state = states.get(context.req) ?? context.state;
    context.set(securityHeaders);
    try {
      await next();
    } catch (error) {
      const { problem, fault } = problemOf(error);
      if (fault) onFault(error, context.state);
      context.status = problem.status;
      for (const name of ['Content-Disposition', 'Content-Encoding', 'ETag']) context.remove(name);
      context.set({ ...securityHeaders, ...problem.headers, 'Content-Type': problem_type });
      context.body = JSON.stringify(problem.document);
    }
    context.set('X-Request-Id', context.state.id);
    if (!context.req.complete) context.state.connection.finish();
  };

type Bounds = Pick<Settings, 'http_body_ms_max' | 'http_body_bytes_max'>;

/**
 * Makes sure that a request is whole and well-formed before anything is done with it. A body is read within its time limit and counted, also
 * where it is not kept, and what followed it is checked. The request itself is left open, because destroying it would also destroy the
 * response.
 * @param mayKeep looks at the rest of the head, and returns whether the body is kept; it may throw a denial
 */
export const framing =
  (bounds: Bounds, mayKeep: (context: Context) => boolean = () => true): Middleware =>
  async (context, next) => {
    const { head, connection } = context.state;
    // The request line is known once all listeners have the bytes.
    await Promise.resolve();
    // First: the tail takes the body of a refused request for further heads.
    if (head.denial !== null) throw new Denied(head.denial);
    if (connection.tail.isForeign) {
      context.res.shouldKeepAlive = false;
      throw new Denied(other_version);
    }
    const { expect } = context.req.headers;
    if (expect !== undefined && !isContinue(expect) && context.req.httpVersion === '1.1') throw new Denied(expectation);
    const keep = mayKeep(context);
    if (head.mutation) context.state.body = await readBody(context, keep, bounds);
    return next();
  };

const isContinue = (expect: string): boolean => expect.toLowerCase() === '100-continue';
const expectation: Denial = { code: 'expectation_failed', detail: 'only Expect: 100-continue is supported' };

/** Returns the bytes, or null where `keep` is false: then they are counted and timed, and dropped. */
async function readBody(context: Context, keep: boolean, bounds: Bounds): Promise<Buffer | null> {
  if (context.req.headers.expect !== undefined && context.req.httpVersion === '1.1') context.res.writeContinue();
  const body = await collect(context, keep, bounds);
  // The parser reports the end of a body before what comes after it, so an error is known one turn later.
  await setImmediate();
  const { connection } = context.state;
  if (connection.failure === null && !connection.tail.hasExtra) return body;
  connection.finish();
  throw new Denied(longer);
}

const longer: Denial = { code: 'malformed', detail: 'the body is longer than Content-Length says' };
const shorter: Denial = { code: 'malformed', detail: 'the body is shorter than Content-Length says' };
const unended: Denial = { code: 'malformed', detail: 'the body ends too early or its chunks are malformed' };
const slow: Denial = { code: 'timeout', detail: 'the body took too long to arrive' };

function collect(context: Context, keep: boolean, { http_body_ms_max, http_body_bytes_max }: Bounds): Promise<Buffer | null> {
  const { req: request, state } = context;
  const { head, connection } = state;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const settle = (denial: Denial | null): void => {
      clearTimeout(timer);
      connection.failing.signal.removeEventListener('abort', failed);
      request.off('data', take).off('end', end).off('close', cut).resume();
      if (denial === null) resolve(keep ? Buffer.concat(chunks) : null);
      else reject(new Denied(denial));
    };
    const take = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > http_body_bytes_max) settle(tooLarge(http_body_bytes_max));
      else if (keep) chunks.push(chunk);
    };
    const end = (): void => settle(head.length === null || received === head.length ? null : shorter);
    const cut = (): void => settle(head.length === null ? unended : shorter);
    const failed = (): void => {
      // The refusal of the body is the response to the failure too.
      connection.finish();
      settle(head.length === null ? unended : endsEarly(connection.failure) ? shorter : longer);
    };
    const timer = setTimeout(() => settle(slow), http_body_ms_max);
    connection.failing.signal.addEventListener('abort', failed);
    request.on('data', take).on('end', end).on('close', cut);
    if (connection.failure !== null) failed();
    else if (request.destroyed) cut();
  });
}

/**
 * Returns whether the connection ended within the body. The parser has no other error within a body of known length; every other
 * one concerns what follows the body.
 */
const endsEarly = (failure: Error | null): boolean => ['HPE_INVALID_EOF_STATE', 'ECONNRESET'].includes(errorCode(failure));
