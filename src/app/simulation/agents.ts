/** Asking the simulation's server how its seven agents are. */
import * as E from 'fp-ts/lib/Either.js';
import { errorCode } from '../../base/fault.js';
import { parseJsonBytes } from '../../base/json-parse.js';
import { invalid } from '../../base/refusal.js';
import type { Result } from '../../base/result.js';
import { agents_answer_bytes_max, agents_answer_ms_max } from '../../base/simulation-limits.js';
import { roles, type Role } from '../../codec/event.js';
import { decode, integer, number, object, required } from '../../codec/kit.js';

const beat = object('Agent', {
  /** Unix seconds. */
  last_beat: required(number(0, Number.MAX_SAFE_INTEGER)),
  restarts: required(integer(0, Number.MAX_SAFE_INTEGER)),
});
const agent = required(beat);
const statusCodec = object('Status', {
  agents: required(
    object('Agents', {
      planning: agent,
      research: agent,
      strategy: agent,
      market: agent,
      codegen: agent,
      safety: agent,
      memory: agent,
    }),
  ),
});

export interface AgentState {
  readonly state: 'running' | 'silent' | 'stopped';
  /** Unix seconds; null while no server runs. */
  readonly last_beat: number | null;
  readonly restarts: number | null;
}

export interface AgentsReport {
  readonly url: string;
  readonly running: boolean;
  readonly agents: Readonly<Record<Role, AgentState>>;
}

/** Five seconds of silence are a hang. */
const silent_s = 5;

const everyAgent = (stateOf: (role: Role) => AgentState): AgentsReport['agents'] =>
  Object.fromEntries(roles.map((role) => [role, stateOf(role)])) as AgentsReport['agents'];

const stopped: AgentState = { state: 'stopped', last_beat: null, restarts: null };

/**
 * The agents of the server at `url` (its base address); all stopped where none answers.
 * @param now milliseconds since the epoch, to tell who is silent
 */
export async function readAgents(url: string, token: string, now: number): Promise<Result<AgentsReport>> {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) return E.left(invalid('url', 'must be an http or https address'));
  const answer = await askStatus(new URL('status', address.href.endsWith('/') ? address : `${address.href}/`), token);
  if (E.isLeft(answer)) return answer;
  if (answer.right === null) return E.right({ url, running: false, agents: everyAgent(() => stopped) });
  const status = E.chain((json: unknown) => decode(statusCodec, json))(parseJsonBytes(answer.right));
  if (E.isLeft(status)) return E.left(another(url, status.left.detail));
  const beats = status.right.agents;
  const stateOf = (role: Role): AgentState => {
    const { last_beat, restarts } = beats[role];
    return { state: now / 1_000 - last_beat > silent_s ? 'silent' : 'running', last_beat, restarts };
  };
  return E.right({ url, running: true, agents: everyAgent(stateOf) });
}

const another = (url: string, detail: string) =>
  ({ code: 'not_found', detail: `${url} answers, but not as the simulation's server (${detail})` }) as const;

/** The answer's bytes; null when nobody answers. */
async function askStatus(address: URL, token: string): Promise<Result<Buffer | null>> {
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(agents_answer_ms_max),
    });
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      const detail = `the server at ${address.origin} does not take the token; API_TOKEN holds it`;
      return E.left({ code: response.status === 401 ? 'unauthorized' : 'forbidden', detail });
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      return E.left(another(address.origin, `status ${response.status}`));
    }
    return await bodyOf(response, address.origin);
  } catch (error) {
    if (isNobody(error)) return E.right(null);
    return E.left(another(address.origin, error instanceof Error ? error.message : String(error)));
  }
}

async function bodyOf(response: Response, origin: string): Promise<Result<Buffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > agents_answer_bytes_max) return E.left(another(origin, `more than ${agents_answer_bytes_max} bytes`));
    parts.push(part);
  }
  return E.right(Buffer.concat(parts));
}

/** Nothing listens there, or nothing answers in time. */
function isNobody(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const known = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
  return error.name === 'TimeoutError' || known.includes(errorCode(error.cause));
}
