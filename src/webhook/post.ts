/** Reads the address that receives alerts: https, or http on this machine. It is a secret, so no message repeats any of it. */
import * as http from 'node:http';
import * as https from 'node:https';
import { errorCode } from '../base/fault.js';
import { isLoopbackHost, lookupLoopback } from '../base/loopback.js';

/** Length of ALERT_WEBHOOK_URL. */
const alert_url_chars_max = 2_048;
/** What is read of the webhook's answer, and dropped. */
const alert_answer_bytes_max = 65_536;

/** Returns the address, or what is wrong with it. */
export function readWebhook(text: string): URL | string {
  if (text.length > alert_url_chars_max) return `must have at most ${alert_url_chars_max} characters`;
  if (!/^[!-~]+$/.test(text) || !URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https, or http on this machine';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return 'must use https unless its host is this machine';
  if (url.username !== '' || url.password !== '') return 'must have no user or password';
  return url;
}

/** Returns whether a host is Slack's, whose webhooks take `text`; others, as Discord's, take `content`. */
const isSlack = (host: string): boolean => /(?:^|\.)slack(?:-gov)?\.com$/i.test(host);

/** Returns the JSON to post. */
export const webhookBody = ({ hostname }: Pick<URL, 'hostname'>, text: string): string =>
  JSON.stringify(isSlack(hostname) ? { text } : { content: text });

/** What became of a try. A refusal of the server is not tried again. */
type Posted = 'sent' | { readonly failed: string; readonly isFinal: boolean };

/**
 * Posts JSON to a webhook once: no proxy, no redirect followed, one deadline for the whole exchange, and an answer that is read to a
 * limit and dropped. Failures never name the address, which is a secret.
 */
export function postWebhook(
  url: URL,
  body: string,
  ms_max: number,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const isPlain = url.protocol === 'http:';
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close', ...more };
  const options = { method: 'POST', headers, agent: false, signal, ...(isPlain ? { lookup: lookupLoopback } : {}) } as const;
  return new Promise((resolve) => {
    const request = (isPlain ? http : https).request(url, options);
    const end = (posted: Posted): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(posted);
    };
    const fail = (why: string): void => end({ failed: why, isFinal: false });
    const timer = setTimeout(() => fail(`no response within ${ms_max / 1_000} s`), ms_max);
    request.on('error', (error) => fail(errorCode(error) || 'the connection failed'));
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      let bytes = 0;
      const done = (): void => end(postedOf(statusCode));
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > alert_answer_bytes_max) done();
      });
      response.on('error', done);
      response.on('end', done);
    });
    request.end(body);
  });
}

function postedOf(status: number): Posted {
  if (status >= 200 && status < 300) return 'sent';
  const isRedirect = status >= 300 && status < 400;
  const failed = isRedirect ? `HTTP ${status}, a redirect, which is not followed` : `HTTP ${status}`;
  return { failed, isFinal: isRedirect || (status >= 400 && status < 500 && status !== 408 && status !== 429) };
}
