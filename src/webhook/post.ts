/** Reads the address that receives alerts: https, or http on this machine. It is a secret, so no message repeats any of it. */
import { exchange, NoAnswer, readServerUrl } from '../base/exchange.js';
import { errorCode } from '../base/refusal.js';

/** What is read of the webhook's answer, and dropped. */
const alert_answer_bytes_max = 65_536;

/** Returns the address, or what is wrong with it. */
export const readWebhook = (text: string): URL | string =>
  /^[!-~]*$/.test(text) ? readServerUrl(text) : 'must be an absolute URL';

/** Returns whether a host is Slack's, whose webhooks take `text`; others, as Discord's, take `content`. */
const isSlack = (host: string): boolean => /(?:^|\.)slack(?:-gov)?\.com$/i.test(host);

/** Returns the JSON to post. */
export const webhookBody = ({ hostname }: Pick<URL, 'hostname'>, text: string): string =>
  JSON.stringify(isSlack(hostname) ? { text } : { content: text });

/** What became of a try. A refusal of the server is not tried again. */
type PostOutcome = 'sent' | { readonly failed: string; readonly isFinal: boolean };

/** Posts JSON to a webhook once. Failures never name the address, which is a secret. */
export async function postWebhook(
  url: URL,
  body: string,
  ms_max: number,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<PostOutcome> {
  const headers = { 'content-type': 'application/json', ...more };
  try {
    return postedOf((await exchange(url, { body, headers, ms_max, bytes_max: alert_answer_bytes_max, signal })).status);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const failed =
      error.reason === 'late' ? `no response within ${ms_max / 1_000} s` : errorCode(error.cause) || 'the connection failed';
    return { failed, isFinal: false };
  }
}

function postedOf(status: number): PostOutcome {
  if (status >= 200 && status < 300) return 'sent';
  const isRedirect = status >= 300 && status < 400;
  const failed = isRedirect ? `HTTP ${status}, a redirect, which is not followed` : `HTTP ${status}`;
  return { failed, isFinal: isRedirect || (status >= 400 && status < 500 && status !== 408 && status !== 429) };
}
