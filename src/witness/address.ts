/** Where a witness may be: https, or http on this machine. */
import { isLoopbackHost } from '../base/loopback.js';

const witness_url_chars_max = 2_048;

/** The submission prefix without a slash at its end, or what is wrong with it. */
export function readWitnessUrl(text: string): { readonly url: string } | string {
  if (text.length > witness_url_chars_max) return `must have at most ${witness_url_chars_max} characters`;
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https, or http on this machine';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return 'must use https unless its host is this machine';
  if (url.username !== '' || url.password !== '') return 'must have no user or password';
  if (text.includes('?')) return 'must have no query';
  if (text.includes('#')) return 'must have no fragment';
  return { url: url.href.replace(/\/+$/, '') };
}
