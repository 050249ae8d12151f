/** Reads the address that receives alerts: https, or http on this machine. It is a secret, so no message repeats any of it. */
import { alert_url_chars_max } from '../base/alert-limits.js';
import { isLoopbackHost } from '../base/loopback.js';

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
