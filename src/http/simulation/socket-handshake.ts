/**
 * The handshake of the progress socket (RFC 6455, section 4.2), checked before the upgrade, because afterwards a client receives
 * only a close code. The WebSocket library would also refuse what is refused here, but with its own response.
 */
import type { IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { unwrap } from '../../base/refusal.js';
import { choice, decode, object, optional, withDefault } from '../../codec/kit.js';
import { runId } from '../../codec/simulation.js';
import { Denied, type Denial } from '../core/problem.js';
import { valuesOf, type RawHeaders } from '../core/head.js';

export const progress_path = '/ws/progress';
/** The subprotocol that the server selects. A browser sends its token as another one, which must not come back. */
export const progress_protocol = 'agi-progress.v1';
const bearer_prefix = 'bearer.';

export type ProgressFormat = 'text' | 'json';

export const progressQuery = object('ProgressQuery', {
  id: optional(runId),
  format: withDefault<ProgressFormat>(choice('text', 'json'), 'text'),
});

/** Returns whether a request is a handshake of this socket, well-formed or not. */
export const isHandshake = ({ method, url = '', rawHeaders }: IncomingMessage): boolean =>
  method === 'GET' &&
  /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] === progress_path &&
  listOf(rawHeaders, 'upgrade').some((name) => name.toLowerCase() === 'websocket');

/** Returns the tokens among the subprotocols that a browser offers. */
export const protocolTokens = (rawHeaders: RawHeaders): readonly string[] =>
  protocolsOf(rawHeaders)
    .filter((name) => name.startsWith(bearer_prefix))
    .map((name) => decoded(name.slice(bearer_prefix.length)));

/** Decodes a base64url form without padding. Another spelling of the same bytes gives the empty text, which is never a token. */
function decoded(form: string): string {
  const bytes = Buffer.from(form, 'base64url');
  return bytes.toString('base64url') === form ? bytes.toString('utf8') : '';
}

const listOf = (rawHeaders: RawHeaders, name: string): readonly string[] =>
  valuesOf(rawHeaders, name).flatMap((value) => value.split(',').map((item) => item.trim()));

const protocolsOf = (rawHeaders: RawHeaders): readonly string[] => listOf(rawHeaders, 'sec-websocket-protocol');

const protocolForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** 16 bytes in base64 (RFC 6455, section 4.1). */
const keyForm = /^[+/0-9A-Za-z]{21}[AQgw]==$/;

/**
 * Returns which progress the client requests, of one run or of all. Throws a denial for a malformed handshake, and a refusal for its query.
 */
export function readHandshake({ rawHeaders, httpVersion, url = '' }: IncomingMessage) {
  if (httpVersion !== '1.1') deny('the handshake must be HTTP/1.1');
  const [upgrade = '', ...more] = valuesOf(rawHeaders, 'upgrade');
  if (more.length > 0 || upgrade.toLowerCase() !== 'websocket') deny('Upgrade must be websocket and nothing else');
  const versions = valuesOf(rawHeaders, 'sec-websocket-version');
  if (versions.length !== 1) deny('Sec-WebSocket-Version must be sent once');
  if (versions[0] !== '13') throw new Denied(otherVersion);
  const keys = valuesOf(rawHeaders, 'sec-websocket-key');
  if (keys.length !== 1 || !keyForm.test(keys[0] ?? '')) deny('Sec-WebSocket-Key must be sent once and be 16 bytes in base64');
  checkProtocols(protocolsOf(rawHeaders));
  const { id = null, format } = unwrap(decode(progressQuery, { ...parseQuery(queryOf(url)) }));
  return { id, format };
}

const deny = (detail: string): never => {
  throw new Denied({ code: 'malformed', detail });
};

/** RFC 9110, section 7.8: a sender of Upgrade names it in Connection too. */
export const upgrade_fields = { Upgrade: 'websocket', Connection: 'close, Upgrade' } as const;

const otherVersion: Denial = {
  code: 'upgrade_required',
  detail: 'Sec-WebSocket-Version must be 13',
  headers: { ...upgrade_fields, 'Sec-WebSocket-Version': '13' },
};

function checkProtocols(names: readonly string[]): void {
  if (names.some((name) => !protocolForm.test(name))) deny('Sec-WebSocket-Protocol is not a list of names');
  if (new Set(names).size < names.length) deny('Sec-WebSocket-Protocol names one twice');
  const isBearer = names.some((name) => name.startsWith(bearer_prefix));
  // A client that offered subprotocols and gets none ends the connection itself, without a reason.
  if (isBearer && !names.includes(progress_protocol))
    deny(`the subprotocol ${progress_protocol} must be offered along with the token`);
}

const queryOf = (target: string): string => {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
};
