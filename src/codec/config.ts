/** The operator's configuration. Unknown keys and coercions are refused; absent keys hold their default. */
import type * as t from 'io-ts';
import type { FieldError } from '../base/refusal.js';
import { canonicalText } from './canonical.js';
import { approvalPolicy, no_policy } from './approvals.js';
import { added, choice, flag, integer, list, nullable, object, optional, required, text, withDefault } from './kit.js';
import { isLoopbackHost, readNatsAddress } from './nats-url.js';
import { hash } from './scalars.js';

const url = text({ max: 2_048 });

/** The value of `execution` with which missions are computed on the home's machine. */
export const local_execution = 'local';

export const chainConfig = object(
  'Chain',
  {
    rpc_url: required(url),
    chain_id: withDefault(integer(1, Number.MAX_SAFE_INTEGER), 1),
    token_code_sha256: required(hash),
    confirmations: withDefault(integer(1, 10_000), 12),
    reinvest_bps: withDefault(integer(0, 10_000), 0),
  },
  (value) => {
    const parsed = parseUrl(value.rpc_url);
    if (typeof parsed === 'string') return [{ path: 'rpc_url', message: parsed }];
    if (parsed.protocol === 'http:' && (!isLoopbackHost(parsed.hostname) || value.chain_id === 1)) {
      return [{ path: 'rpc_url', message: 'must use https (http only on loopback, and never for chain_id 1)' }];
    }
    return [];
  },
);

/** What a webhook can be told: a mission needs review, was decided or failed; an alert was raised. */
export const noticeKinds = ['needs_review', 'decided', 'failed', 'alert'] as const;
export const noticeKind = choice(...noticeKinds);
export type NoticeKind = (typeof noticeKinds)[number];

const notices_max = 10;
const notice = object(
  'Notice',
  {
    url: required(url),
    /** All when absent. */
    events: optional(list(noticeKind, 1, noticeKinds.length)),
  },
  (value) => {
    const parsed = parseUrl(value.url);
    if (typeof parsed === 'string') return [{ path: 'url', message: parsed }];
    const isAllowed = parsed.protocol === 'https:' || isLoopbackHost(parsed.hostname);
    return isAllowed ? [] : [{ path: 'url', message: 'must use https unless its host is loopback' }];
  },
);
export type Notice = t.TypeOf<typeof notice>;

/** Keys that the reference agent does not have are `added`: while they have their default, hashes equal those of the reference agent. */
export const configCodec = object(
  'Configuration',
  {
    name: withDefault(text({ pattern: /^[A-Za-z0-9_-]{1,64}$/ }), 'alpha-agent'),
    llm_url: withDefault(url, ''),
    llm_model: withDefault(text({ max: 300 }), ''),
    llm_response_format: added('2.0.0', choice('json_object', 'json_schema'), 'json_object'),
    llm_token_limit: added('2.0.0', choice('max_tokens', 'max_completion_tokens'), 'max_tokens'),
    llm_temperature: added('2.0.0', flag, true),
    llm_key_env: withDefault(text({ pattern: /^[A-Z][A-Z0-9_]{0,80}$/ }), 'AGENT_LLM_KEY'),
    llm_timeout: withDefault(integer(1, 300), 120),
    max_output_tokens: withDefault(integer(64, 4_096), 1_200),
    max_source_chars: withDefault(integer(1_000, 1_000_000), 60_000),
    max_evaluations: withDefault(integer(20, 100_000_000), 10_000),
    effort_max: added('2.0.0', integer(20, 100_000_000), 10_000_000),
    max_generations: added('2.0.0', integer(1, 3), 1),
    allow_remote_llm: withDefault(flag, false),
    allow_code_execution: withDefault(flag, false),
    chain: withDefault(nullable(chainConfig), null),
    execution: added('2.0.0', text({ max: 300 }), local_execution),
    executing_max: added('2.0.0', nullable(integer(1, 1_024)), null),
    running_max: added('2.0.0', nullable(integer(1, 1_024)), null),
    execution_check: added('2.0.0', choice('second', 'home'), 'second'),
    approvals: added('2.0.0', approvalPolicy, no_policy),
    notices: added('2.0.0', list(notice, 0, notices_max), []),
    console_origin: added('2.0.0', url, ''),
  },
  (config) => [
    ...providerFaults(config.llm_url, config.llm_model, config.allow_remote_llm),
    ...executionFaults(config.execution),
    ...originFaults(config.console_origin),
  ],
);

export type ChainConfig = t.TypeOf<typeof chainConfig>;
export type Config = t.TypeOf<typeof configCodec>;

/** The canonical text of a configuration; its SHA-256 is the configuration's hash. */
export const configText = (config: Config): string => canonicalText(configCodec, config);

function providerFaults(llmUrl: string, llmModel: string, allowRemote: boolean): FieldError[] {
  if ((llmUrl === '') !== (llmModel === '')) {
    return [{ path: llmUrl === '' ? 'llm_url' : 'llm_model', message: 'llm_url and llm_model are set together or not at all' }];
  }
  if (llmUrl === '') return [];
  const parsed = parseUrl(llmUrl);
  if (typeof parsed === 'string') return [{ path: 'llm_url', message: parsed }];
  if (llmUrl.includes('?')) return [{ path: 'llm_url', message: 'must have no query' }];
  if (isLoopbackHost(parsed.hostname)) return [];
  if (parsed.protocol !== 'https:') return [{ path: 'llm_url', message: 'must use https unless its host is loopback' }];
  return allowRemote ? [] : [{ path: 'allow_remote_llm', message: 'must be true for a remote endpoint' }];
}

function executionFaults(execution: string): FieldError[] {
  const address = execution === local_execution ? null : readNatsAddress(execution);
  return typeof address === 'string'
    ? [{ path: 'execution', message: `must be "${local_execution}" or an address, which ${address}` }]
    : [];
}

/** Passkeys work on no other origins. */
function originFaults(origin: string): FieldError[] {
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
  const isOfPasskeys = /^https:\/\/(?![0-9.]+(?::|$)|\[)|^http:\/\/localhost(?::[0-9]+)?$/.test(origin);
  if (origin === '' || (isOrigin && isOfPasskeys)) return [];
  return [{ path: 'console_origin', message: 'must be https://HOST or http://localhost, with a port at most, and HOST a name' }];
}

function parseUrl(value: string): URL | string {
  if (/\s/.test(value)) return 'must have no white space';
  if (!URL.canParse(value)) return 'must be an absolute URL';
  const parsed = new URL(value);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'must use https or http';
  if (parsed.username !== '' || parsed.password !== '') return 'must have no user or password';
  if (parsed.hash !== '' || value.includes('#')) return 'must have no fragment';
  return parsed;
}
