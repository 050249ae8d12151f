/**
 * The head of a request, judged as soon as it is complete: number of fields, Host, version, then framing. Framing is stricter than the
 * standard: input that two readers could take for two lengths is refused, here or by Node's parser.
 */
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../base/loopback.js';
import type { Denial } from './problem.js';
import type { Settings } from './limits.js';

/** Names and values in turn, as in `IncomingMessage.rawHeaders`. */
export type RawHeaders = readonly string[];

export interface Head {
  /** The target in origin form: path and query. */
  readonly target: string;
  /** Host and port as the client wrote them, in lowercase; null in HTTP/1.0 without Host. */
  readonly host: string | null;
  /** Every method but GET, HEAD and OPTIONS. */
  readonly mutation: boolean;
  /** The length of the body in bytes, null for a chunked body; 0 with a denial. */
  readonly length: number | null;
  readonly denial: Denial | null;
}

export interface HeadRules {
  readonly settings: Pick<Settings, 'http_body_bytes_max' | 'http_headers_max'>;
  /** Host names that the server accepts besides the loopback ones; `any` accepts every name. */
  readonly allowedHosts: readonly string[] | 'any';
  /**
   * If true, chunked bodies are accepted, and a mutation without any length has no body. Otherwise a mutation needs exactly one
   * Content-Length; it is the last request of its connection, and the bytes behind it are counted.
   */
  readonly chunked: boolean;
}

/** Returns every value of a field, in order. Node's `headers` drops or joins repetitions, so it cannot tell one from two. */
export function valuesOf(raw: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) if (raw[i]?.toLowerCase() === name) values.push(raw[i + 1] ?? '');
  return values;
}

/** Permits more than the standard's characters, because a token that people choose may have any visible one. */
const bearerForm = /^Bearer +([!-~]+)$/i;

/**
 * Returns the token of the one Authorization field (RFC 6750, section 2.1), null if there is none, and an empty text for anything
 * else.
 */
export function bearerOf(raw: RawHeaders): string | null {
  const values = valuesOf(raw, 'authorization');
  const [value] = values;
  if (value === undefined) return null;
  return values.length > 1 ? '' : (bearerForm.exec(value)?.[1] ?? '');
}

export function readHead(request: IncomingMessage, rules: HeadRules): Head {
  const { rawHeaders, httpVersion, method = '' } = request;
  const { target, host, ...address } = readAddress(httpVersion, request.url ?? '', rawHeaders, rules.allowedHosts);
  const { length, ...framing } = readFraming(method, rawHeaders, rules);
  const { http_headers_max } = rules.settings;
  const isHttp = httpVersion === '1.1' || httpVersion === '1.0';
  const denial =
    rawHeaders.length / 2 > http_headers_max
      ? ({ code: 'headers_too_large', detail: `more than ${http_headers_max} header fields` } as const)
      : (address.denial ?? (isHttp ? framing.denial : other_version));
  return { target, host, mutation: isMutation(method), length: denial === null ? length : 0, denial };
}

/** The denial of another version of HTTP, or of another protocol. */
export const other_version: Denial = { code: 'malformed', detail: 'the version is neither HTTP/1.1 nor HTTP/1.0' };

// The address

type Address = Pick<Head, 'target' | 'host' | 'denial'>;

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;
const hostForm = /^(\[(?=[^:\]]*:)[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/;

/**
 * Reads target and Host (RFC 9112, sections 3.2 and 3.2.2: in absolute form the authority counts, and Host must be the same). A page of a
 * foreign site that has its name resolve to this machine (DNS rebinding) still sends that name as Host, so foreign names are refused first.
 */
export function readAddress(version: string, url: string, raw: RawHeaders, allowed: readonly string[] | 'any'): Address {
  const hosts = valuesOf(raw, 'host');
  const absolute = absoluteForm.exec(url);
  const host = hosts[0]?.toLowerCase() ?? null;
  const target = absolute === null ? url : originForm(absolute[2] ?? '');
  const fault =
    hosts.length > 1
      ? 'more than one Host'
      : host === null && version === '1.1'
        ? 'Host is missing'
        : absolute !== null && absolute[1]?.toLowerCase() !== host
          ? 'the target and Host name different hosts'
          : null;
  if (fault !== null) return { target, host, denial: { code: 'malformed', detail: fault } };
  if (host !== null && allowed !== 'any' && !isAllowed(host, allowed)) return { target, host, denial: misdirected };
  const isPath = target.startsWith('/') || target === '*';
  return { target, host, denial: isPath ? null : { code: 'malformed', detail: 'the target is not a path' } };
}

const originForm = (rest: string): string => (rest.startsWith('/') ? rest : `/${rest}`);

const misdirected: Denial = {
  code: 'misdirected',
  detail: 'this server does not serve that host; AGENT_ALLOWED_HOSTS names the hosts that it serves',
};

/** Returns whether the host is a loopback name or one of the given names: with a port for that port only, without one for any. */
export function isAllowed(host: string, allowed: readonly string[]): boolean {
  const [, name, port = 0] = hostForm.exec(host) ?? [];
  if (name === undefined || Number(port) > 65_535) return false;
  return isLoopbackHost(name) || allowed.some((entry) => entry.toLowerCase() === host || entry.toLowerCase() === name);
}

// The framing (RFC 9112, section 6.3)

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const isMutation = (method: string): boolean => !reading.has(method);

export function readFraming(method: string, raw: RawHeaders, rules: HeadRules): Pick<Head, 'length' | 'denial'> {
  const { chunked, settings } = rules;
  const deny = (code: Denial['code'], detail: string) => ({ length: 0, denial: { code, detail } });
  const connection = connectionDenial(raw);
  if (connection !== null) return { length: 0, denial: connection };
  const lengths = valuesOf(raw, 'content-length');
  const codings = valuesOf(raw, 'transfer-encoding');
  const coding = codings.length === 0 ? null : codingFault(codings, lengths.length > 0, chunked);
  if (coding !== null) return deny('malformed', coding);
  if (lengths.length > 1) return deny('malformed', 'more than one Content-Length');
  const [text] = lengths;
  const mutation = isMutation(method);
  if (text === undefined && mutation && !chunked) return deny('length_required', 'Content-Length is required');
  if (text !== undefined && !/^[0-9]+$/.test(text)) return deny('malformed', 'Content-Length is not one decimal number');
  // A long row of digits loses precision as a number, but stays large.
  const length = codings.length > 0 ? null : Number(text ?? '0');
  if (!mutation && length !== 0) return deny('malformed', `${method} takes no body`);
  if ((length ?? 0) > settings.http_body_bytes_max) return { length: 0, denial: tooLarge(settings.http_body_bytes_max) };
  return { length, denial: null };
}

export const tooLarge = (bytes_max: number): Denial => ({
  code: 'too_large',
  detail: `the body has more than ${bytes_max} bytes`,
});

/** Returns what is wrong with the transfer codings of a request, or null. */
function codingFault(codings: readonly string[], hasLength: boolean, chunked: boolean): string | null {
  if (!chunked) return 'Transfer-Encoding is not accepted';
  if (hasLength) return 'Transfer-Encoding and Content-Length cannot be used together';
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
  return isChunked ? null : 'only Transfer-Encoding: chunked is supported';
}

/**
 * Header fields that are for every recipient of a request. A proxy removes the fields that Connection lists (RFC 9110, section 7.6.1), so a
 * request that lists one of these has another length, target or sender behind a proxy than in front of it.
 */
const end_to_end: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'transfer-encoding',
]);

/** Returns the denial of a request whose Connection field lists such a field, or null. */
export function connectionDenial(raw: RawHeaders): Denial | null {
  const options = valuesOf(raw, 'connection').flatMap((value) => value.split(','));
  const name = options.map((option) => option.trim().toLowerCase()).find((option) => end_to_end.has(option));
  if (name === undefined) return null;
  return { code: 'malformed', detail: `Connection lists ${name}, which is not a hop-by-hop field` };
}
