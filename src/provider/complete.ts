/**
 * Asks an OpenAI-compatible chat server for one JSON object. The whole call (resolving the name, the list of models, the request itself) has
 * one deadline, and is never repeated; it follows no proxy and no redirect, and goes only to an address that was checked. The provider's claim that its answer satisfies the schema counts for nothing: callers decode it.
 */
import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { exchange, NoAnswer } from '../base/exchange.js';
import { errorCode, isRefused, ok, type Refusal, refuse, type Result } from '../base/refusal.js';
import { sha256Hex } from '../base/bytes.js';
import { parseJson, parseJsonBytes } from '../base/json.js';
import { isLoopbackAddress } from '../base/loopback.js';
import {
  type ChatPrompt,
  chatRequestText,
  type ChatResponse,
  chatResponse,
  type Completion,
  type Inference,
  type InferenceMode,
  modelList,
  type RequestForm,
  usageOf,
} from '../codec/chat-completion.js';
import { decode } from '../codec/kit.js';
import { CallFailed, type CallRefusal, connectionFailure, failureRefusal, statusFailure } from './failure.js';
import type { ProviderKey } from './key.js';

/** The size of a response's body. Compressed responses are refused, so that this is also what is received. */
export const provider_answer_bytes_max = 1_048_576;
const provider_head_bytes_max = 16_384;

export interface ProviderSettings {
  /** The address before /chat/completions. */
  readonly url: string;
  readonly model: string;
  readonly mode: InferenceMode;
  readonly form?: RequestForm;
  /** Sent as a bearer token; null for a server that wants none. */
  readonly key: ProviderKey | null;
  readonly allowRemote: boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca?: string;
}

export interface CallOptions {
  readonly deadline_ms: number;
  /** Ends the call as `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  readonly resolve?: Resolve | undefined;
}

/** Returns the completion, or a refusal `provider_failed` (`interrupted` when the signal ended the call), which contains no word of the provider. */
export const complete = (
  settings: ProviderSettings,
  prompt: ChatPrompt,
  options: CallOptions,
): Promise<Result<Completion, CallRefusal>> =>
  call(settings, options, async (send) => {
    const model_listed = await isListed(send, settings);
    if (model_listed === false)
      throw new CallFailed('model_not_listed', `does not list the model ${settings.model} (agent-cli doctor --probe)`);
    const { form } = settings;
    const request = chatRequestText(settings.model, settings.mode, prompt, form);
    const response = await send('chat/completions', request);
    return readCompletion(response, settings.key, {
      model: settings.model,
      reported_model: null,
      model_listed,
      mode: settings.mode,
      max_tokens: prompt.maxTokens,
      ...form,
      request_hash: sha256Hex(request),
      response_hash: sha256Hex(response),
      usage: null,
    });
  });

/** Returns whether the server lists the configured model; null when it has no list. */
export const probeModel = (settings: ProviderSettings, options: CallOptions): Promise<Result<boolean | null>> =>
  call(settings, options, (send) => isListed(send, settings));

/** Sends one request, and returns the response's body. */
type Send = (path: string, body: string | null) => Promise<Buffer>;

async function call<A>(
  settings: ProviderSettings,
  { deadline_ms, signal, resolve = resolveAll }: CallOptions,
  use: (send: Send) => Promise<A>,
): Promise<Result<A, CallRefusal>> {
  const ending = new AbortController();
  const end = (): void => ending.abort(new CallFailed('stopped', 'call was stopped'));
  const late = new CallFailed('timeout', `did not respond in full within ${deadline_ms / 1_000} s`);
  const timer = setTimeout(() => ending.abort(late), deadline_ms);
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    const given = { ca: settings.ca, key: settings.key, signal: ending.signal } as const;
    return ok(await use(await sender(settings, given, resolve)));
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const refusal = failureRefusal(error);
    return refuse({ ...refusal, detail: settings.key?.redact(refusal.detail) ?? refusal.detail });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

type RequestSecrets = Pick<Request, 'ca' | 'key' | 'signal'>;

/** Returns what sends requests to the addresses that the host has now. */
async function sender({ url, allowRemote, key }: ProviderSettings, given: RequestSecrets, resolve: Resolve): Promise<Send> {
  const base = new URL(url);
  // A resolver cannot be stopped, but nobody has to wait for it.
  const addresses = await Promise.race([addressesOf(base, allowRemote, resolve), aborted(given.signal)]);
  if (key?.isPlaceholder === true && !addresses.every(({ address }) => isLoopbackAddress(address)))
    throw new CallFailed('address', 'is on another machine, and the key is too short to be one');
  const lookup = pinned(addresses);
  return (path, body) => {
    const target = new URL(base);
    target.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`;
    return ask({ ...given, url: target, lookup, body });
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });

/** The statuses of a server that has no list of models. */
const no_list = new Set([404, 405, 501]);

async function isListed(send: Send, { model, key }: ProviderSettings): Promise<boolean | null> {
  const body = await send('models', null).catch((error: unknown) => {
    if (error instanceof CallFailed && no_list.has(Number(error.facts['status']))) return null;
    throw error;
  });
  if (body === null) return null;
  const parsed = parseJsonBytes(body, { bigIntegers: 'round' });
  if (isRefused(parsed)) return null;
  refuseKey(parsed.right, key);
  const listed = decode(modelList, parsed.right);
  return isRefused(listed) ? null : listed.right.data.some(({ id }) => id === model);
}

/**
 * Reads an untrusted response. Its numbers are not used, so large ones are not an error. A refused response is recorded with its hash, and with
 * its model and tokens where it is a chat completion, unless it contains the key: then nothing of it is kept.
 */
function readCompletion(body: Buffer, key: ProviderKey | null, sent: Inference): Completion {
  let inference = sent;
  try {
    const parsed = parseJsonBytes(body, { bigIntegers: 'round' });
    if (isRefused(parsed)) throw malformed(`a response that is not JSON: ${faultOf(parsed.left)}`);
    refuseKey(parsed.right, key);
    const decoded = decode(chatResponse, parsed.right);
    if (isRefused(decoded)) throw malformed(`a response that is not a chat completion: ${decoded.left.detail}`);
    const { choices, model = null, usage } = decoded.right;
    inference = { ...sent, reported_model: model, usage: usageOf(usage) };
    return { value: readChoices(choices, key), inference };
  } catch (error) {
    if (error instanceof CallFailed && error.reason !== 'key_repeated') throw error.ofAnswer(inference);
    throw error;
  }
}

function readChoices(choices: ChatResponse['choices'], key: ProviderKey | null): unknown {
  const [choice] = choices;
  if (choice === undefined || choices.length > 1) throw malformed(`${choices.length} choices in place of one`);
  const { finish_reason = null, message } = choice;
  if (finish_reason === 'length')
    throw new CallFailed('truncated', 'stopped in the middle of its response (finish_reason length); raise max_output_tokens');
  if (finish_reason !== 'stop') throw new CallFailed('truncated', 'did not end its response itself: finish_reason is not stop');
  return readContent(message.content ?? null, key);
}

function readContent(content: string | null, key: ProviderKey | null): unknown {
  if (content === null) throw malformed('a response without text');
  if (content.trimStart().startsWith('```')) throw malformed('JSON in a Markdown fence; only the JSON object itself is accepted');
  const parsed = parseJson(content);
  if (isRefused(parsed)) throw malformed(`content that is not one JSON object: ${faultOf(parsed.left)}`);
  const value = parsed.right;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('content that is not one JSON object: it is another JSON value');
  refuseKey(value, key);
  return value;
}

/** Returns what is wrong with a text, without the path, whose names are the provider's. */
const faultOf = ({ errors, detail }: Refusal): string => errors?.[0]?.message ?? detail;

const malformed = (what: string): CallFailed => new CallFailed('malformed', `sent ${what}`);

function refuseKey(value: unknown, key: ProviderKey | null): void {
  if (key?.occursIn(value) !== true) return;
  throw new CallFailed('key_repeated', 'repeated the key in its response, which was discarded; replace the key');
}

interface Request {
  readonly url: URL;
  readonly lookup: LookupFunction;
  readonly key: ProviderKey | null;
  /** The text to post; null for a GET. */
  readonly body: string | null;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

/** Returns the body of a response with status 200. @throws CallFailed; the signal's reason when it aborts */
async function ask({ url, lookup, key, body: text, ca, signal }: Request): Promise<Buffer> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(text === null ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { authorization: key.authorization }),
  };
  const trusted = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
  const {
    status,
    headers: given,
    body,
  } = await exchange(url, {
    ...(text === null ? {} : { body: text }),
    headers,
    bytes_max: provider_answer_bytes_max,
    signal,
    options: { lookup, maxHeaderSize: provider_head_bytes_max, ...trusted },
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof NoAnswer ? connectionFailure(error.cause) : error;
  });
  if (status !== 200) throw statusFailure(status);
  const encoding = given['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new CallFailed('compressed', 'sent a compressed response, which was not requested');
  if (body !== null) return body;
  throw new CallFailed('too_large', `responded with more than ${provider_answer_bytes_max} bytes`);
}

interface Address {
  readonly address: string;
  readonly family: number;
}

type Resolve = (host: string) => Promise<readonly Address[]>;

const resolveAll: Resolve = (host) => resolveName(host, { all: true });

/**
 * Returns all addresses of the host. Without https, or without the permission to leave this machine, each must be loopback: a name that has
 * another address besides is refused as a whole.
 * @throws CallFailed
 */
async function addressesOf(url: URL, allowRemote: boolean, resolve: Resolve): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await resolved(host, resolve) : [{ address: host, family }];
  const isLocal = addresses.every(({ address }) => isLoopbackAddress(address));
  if (isLocal) return addresses;
  if (url.protocol !== 'https:')
    throw new CallFailed('address', 'is not on this machine only: http is allowed when every address of the host is loopback');
  if (!allowRemote)
    throw new CallFailed('address', 'is not on this machine only: set allow_remote_llm to send missions to other machines');
  return addresses;
}

async function resolved(host: string, resolve: Resolve): Promise<readonly Address[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new CallFailed('address', `has a host name that cannot be resolved (${errorCode(error) || 'no response'})`);
  });
  if (addresses.length === 0) throw new CallFailed('address', 'has a host name without an address');
  return addresses;
}

/** Returns a lookup that gives these addresses without a request. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, answer) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
