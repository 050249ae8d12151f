/** Checks the head of a request in order: number of fields, Host, version, framing. */
import type { IncomingMessage } from 'node:http';
import type { Head } from './exchange.js';
import type { Denial } from './problem.js';
import type { Settings } from './settings.js';
import { readFraming } from './framing.js';
import { readAddress } from './host.js';

interface HeadRules {
  readonly settings: Pick<Settings, 'body_bytes_max' | 'headers_max'>;
  /** Host names that the server accepts besides the loopback ones; `any` accepts every name. */
  readonly allowedHosts: readonly string[] | 'any';
  /** Whether chunked bodies are accepted. */
  readonly chunked: boolean;
}

export function readHead(request: IncomingMessage, { settings, allowedHosts, chunked }: HeadRules): Head {
  const { rawHeaders, httpVersion, method = '', url = '' } = request;
  const { target, host, denial } = readAddress(httpVersion, url, rawHeaders, allowedHosts);
  const framing = readFraming(method, rawHeaders, { bytes_max: settings.body_bytes_max, chunked });
  const denied = tooMany(rawHeaders.length / 2, settings.headers_max) ?? denial ?? unknownVersion(httpVersion) ?? framing.denial;
  return { target, host, mutation: framing.mutation, length: denied === null ? framing.length : 0, denial: denied };
}

/** Refuses a head with too many fields. Node drops fields beyond 2000 without a notice; this limit is lower. */
const tooMany = (fields: number, max: number): Denial | null =>
  fields > max ? { code: 'headers_too_large', detail: `more than ${max} header fields` } : null;

const unknownVersion = (version: string): Denial | null => (version === '1.1' || version === '1.0' ? null : other_version);

/** The denial of another version of HTTP, or of another protocol. */
export const other_version: Denial = { code: 'malformed', detail: 'the version is neither HTTP/1.1 nor HTTP/1.0' };
