/** Why a call to a provider failed. Nothing that the provider wrote becomes part of a failure, because it may repeat secrets or sources. */
import { errorCode, type Refusal } from '../base/refusal.js';
import type { Inference } from '../codec/chat-completion.js';

export type FailureReason =
  | 'address'
  | 'certificate'
  | 'connection'
  | 'timeout'
  | 'redirect'
  | 'status'
  | 'compressed'
  | 'too_large'
  | 'malformed'
  | 'truncated'
  | 'model_not_listed'
  | 'key_repeated'
  | 'stopped';

/** Ends a call; `complete` returns it as a refusal. */
export class CallFailed extends Error {
  /** @param detail completes the sentence "the provider …" */
  constructor(
    readonly reason: FailureReason,
    readonly detail: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
    /** The record of an answer that arrived whole and was refused. */
    readonly inference: Inference | null = null,
  ) {
    super(detail);
  }

  /** Returns the same failure with the record of the refused answer. */
  ofAnswer(inference: Inference): CallFailed {
    return new CallFailed(this.reason, this.detail, this.facts, inference);
  }
}

/** Why a call failed. `inference` is there when an answer arrived whole and was refused; it holds the answer's hash, and no word of it. */
export type CallRefusal = Refusal & { readonly inference?: Inference };

export const failureRefusal = ({ reason, detail, facts, inference }: CallFailed): CallRefusal => ({
  code: reason === 'stopped' ? 'interrupted' : 'provider_failed',
  detail: `the provider ${detail}`,
  facts: { reason, ...facts },
  ...(inference === null ? {} : { inference }),
});

/** The codes of OpenSSL for a certificate that was not verified. */
const certificateCode = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Returns the failure for an error of the connection, of which only the code is shown. @throws any error that has no code: a bug */
export function connectionFailure(error: unknown): CallFailed {
  if (error instanceof CallFailed) return error;
  const code = errorCode(error);
  if (code === '') throw error;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new CallFailed('certificate', 'has a certificate for another name', { code });
  if (certificateCode.test(code))
    return new CallFailed('certificate', `has a certificate that is not trusted (${code})`, { code });
  if (code === 'HPE_HEADER_OVERFLOW') return new CallFailed('too_large', 'sent too many headers', { code });
  if (code.startsWith('HPE_')) return new CallFailed('malformed', 'sent a response that is not HTTP/1.1');
  return new CallFailed('connection', `could not be reached, or broke off (${code})`, { code });
}

const status_advice: Readonly<Record<number, string>> = {
  400: 'it may not support the configured llm_response_format, or max_output_tokens',
  401: 'it refused the key, or wants one',
  403: 'it refused the key, or the model is not allowed for it',
  404: 'llm_url must be the address before /chat/completions, and llm_model a model that it has',
  413: 'the sources are too long for it; lower max_source_chars',
  429: 'it limits requests; recover the mission later',
};

/** Returns the failure for a status other than 200. */
export function statusFailure(status: number): CallFailed {
  if (status >= 300 && status < 400)
    return new CallFailed('redirect', `responded with a redirect (${status}), which is not followed`, { status });
  const advice = status_advice[status] ?? (status >= 500 ? 'it failed; recover the mission later' : 'only 200 is accepted');
  return new CallFailed('status', `responded with status ${status}: ${advice}`, { status });
}
