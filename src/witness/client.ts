/** The addresses that a witness may have, and one request to it. */
import { fromUtf8 } from '../base/text.js';
import { exchange, NoAnswer, readServerUrl } from '../base/exchange.js';
import { witness_ms_max } from '../base/limits.js';

export const witness_answer_bytes_max = 65_536;

export interface WitnessAnswer {
  readonly status: number;
  /** Media type without parameters, in lower case. */
  readonly type: string;
  readonly body: string;
}

/** Posts text. @throws NoAnswer, in words for the operator, also when the signal aborts the request */
export async function postText(
  url: string,
  body: string,
  ms_max: number = witness_ms_max,
  signal?: AbortSignal,
): Promise<WitnessAnswer> {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const answer = await exchange(new URL(url), { body, headers, ms_max, bytes_max: witness_answer_bytes_max, signal });
  if (answer.body === null) throw new NoAnswer('failed', `a response of more than ${witness_answer_bytes_max} bytes`);
  const text = fromUtf8(answer.body);
  if (text === null) throw new NoAnswer('failed', 'a response that is not UTF-8');
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  return { status: answer.status, type: type.trim().toLowerCase(), body: text };
}

/** Returns the submission prefix without a slash at its end, or what is wrong with it. */
export function readWitnessUrl(text: string): { readonly url: string } | string {
  const url = readServerUrl(text);
  if (typeof url === 'string') return url;
  if (text.includes('?')) return 'must have no query';
  return text.includes('#') ? 'must have no fragment' : { url: url.href.replace(/\/+$/, '') };
}
