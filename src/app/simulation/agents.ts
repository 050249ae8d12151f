/** Requests the state of the seven agents from the simulation's server. */
import { lookup } from 'node:dns';
import { type HttpAnswer, exchange, NoAnswer } from '../../base/exchange.js';
import { parseJsonBytes } from '../../base/json.js';
import { invalid, isRefused, RefusalError } from '../../base/refusal.js';
import { isLoopbackHost } from '../../base/loopback.js';
import { agentsCodec } from '../../codec/api-simulation.js';
import { decode } from '../../codec/kit.js';
import { type Role, roles } from '../../codec/roles.js';
import { type Environment, portOf, simulationEnvironment } from './settings.js';

/** Time for the simulation's server to return the state of its agents. */
const agents_answer_ms_max = 5_000;
const agents_answer_bytes_max = 65_536;

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

/** The time without a heartbeat after which an agent counts as silent, in seconds. */
const silent_s = 5;

const everyAgent = (stateOf: (role: Role) => AgentState): AgentsReport['agents'] =>
  Object.fromEntries(roles.map((role) => [role, stateOf(role)])) as AgentsReport['agents'];

const stopped: AgentState = { state: 'stopped', last_beat: null, restarts: null };

/**
 * Returns the address of the server and its token: from the flag and the environment, or else from `.env` in the working directory.
 * @throws RefusalError `invalid` for a token of `.env` that would be sent to another machine, and for a PORT that is none
 */
export function agentsServer(flag: string | undefined, env: Environment, directory: string) {
  const added = simulationEnvironment(env, directory);
  const url = flag ?? `http://127.0.0.1:${portOf(added)}`;
  const token = added['API_TOKEN'] ?? '';
  if (env['API_TOKEN'] === undefined && token !== '' && URL.canParse(url) && !isLoopbackHost(new URL(url).hostname))
    throw new RefusalError(invalid('--url', 'is another machine, and the token of .env is sent to this one only; set API_TOKEN'));
  return { url, token };
}

/**
 * Returns the agents of the server at `url` (its base address); all are stopped if no server responds.
 * @param now milliseconds since the epoch, to determine which agents are silent
 */
export async function readAgents(url: string, token: string, now: number): Promise<AgentsReport> {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new RefusalError(invalid('url', 'must be an http or https address'));
  const answer = await askStatus(new URL('status', address.href.endsWith('/') ? address : `${address.href}/`), token);
  if (answer === null) return { url, running: false, agents: everyAgent(() => stopped) };
  const json = parseJsonBytes(answer);
  const status = isRefused(json) ? json : decode(agentsCodec, json.right);
  if (isRefused(status)) throw another(url, status.left.detail);
  const beats = status.right.agents;
  const stateOf = (role: Role): AgentState => {
    const { last_beat, restarts } = beats[role];
    return { state: now / 1_000 - last_beat > silent_s ? 'silent' : 'running', last_beat, restarts };
  };
  return { url, running: true, agents: everyAgent(stateOf) };
}

const another = (url: string, detail: string): RefusalError =>
  new RefusalError('not_found', `${url} responds, but not as the simulation's server (${detail})`);

/** Returns the bytes of the response; null if no server responds. */
async function askStatus(address: URL, token: string): Promise<Buffer | null> {
  const answer = await answerOf(address, token);
  if (answer === null) return null;
  const { status, body } = answer;
  if (status === 401 || status === 403) {
    const refusal = token === '' ? 'requires a token: set API_TOKEN to the one of the server' : 'rejects the token in API_TOKEN';
    throw new RefusalError(status === 401 ? 'unauthorized' : 'forbidden', `the server at ${address.origin} ${refusal}`);
  }
  if (status !== 200) throw another(address.origin, `status ${status}`);
  if (body === null) throw another(address.origin, `more than ${agents_answer_bytes_max} bytes`);
  return body;
}

/** Returns null where no server listens at the address, or none responds in time. */
async function answerOf(address: URL, token: string): Promise<HttpAnswer | null> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    return await exchange(address, {
      headers,
      ms_max: agents_answer_ms_max,
      bytes_max: agents_answer_bytes_max,
      options: { lookup },
    });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.reason === 'late' || nobody.includes(error.message)) return null;
    throw another(address.origin, error.message);
  }
}

const nobody = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
