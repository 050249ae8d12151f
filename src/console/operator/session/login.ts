/**
 * Links whose address holds a code after `#`: `login=CODE` signs in, and may say where to go `to`; `register=CODE` registers a passkey. The code
 * leaves the address, and with it the browser's history, before anything else happens; that it registers stays, for who loads the page again.
 */
import { isRefused } from '../../../base/refusal.js';
import { loginCodeCodec } from '../../../codec/api-tokens.js';
import { choice, decode, object, optional, required, tagged, text } from '../../../codec/kit.js';
import { actor, uuid as uuidCodec } from '../../../codec/scalars.js';
import type { Api } from '../../kit/api/client.js';
import { uuid } from '../../kit/api/uuid.js';

const form = /^#(login|register)=([^&]*)(?:&to=(.*))?$/;
const routeForm = /^%23%2F[\w%.~-]*$/;

type Kind = 'login' | 'register';

/** Removes a code from the page's address. Returns it with its kind; null if the address has none. */
function takeCode(): readonly [Kind, string] | null {
  const [, kind, code = '', to = ''] = form.exec(location.hash) ?? [];
  if (kind === undefined) return null;
  history.replaceState(
    null,
    '',
    location.pathname + (kind === 'register' ? '#register=' : routeForm.test(to) ? decodeURIComponent(to) : ''),
  );
  return [kind === 'login' ? kind : 'register', code];
}

export interface Links {
  /** The code of the link that opened the page; null without one. */
  readonly first: string | null;
  /** Calls the listener with the code of each later link. Returns a function that stops that. */
  readonly listen: (onCode: (code: string) => void) => () => void;
}

/** Begins to take codes. To be called before anything else reads the page's address. */
export function takeLinks(): Readonly<Record<Kind, Links>> {
  const listeners = { login: new Set<(code: string) => void>(), register: new Set<(code: string) => void>() };
  addEventListener('hashchange', () => {
    const [kind, code] = takeCode() ?? [];
    if (kind !== undefined && code !== undefined) for (const listener of listeners[kind]) listener(code);
  });
  const first = takeCode();
  const of = (kind: Kind): Links => ({
    first: first?.[0] === kind ? first[1] : null,
    listen: (onCode) => {
      listeners[kind].add(onCode);
      return () => void listeners[kind].delete(onCode);
    },
  });
  return { login: of('login'), register: of('register') };
}

/**
 * Signing a new tab in through one that is signed in: the new tab asks on a channel that only pages of this origin share, and
 * receives a fresh one-time code, never the token.
 */
const channel_name = 'agent-cli-login';

/** `tab` is a random id of the tab that asks, `actor` who was signed in there before. */
const message = tagged('TabMessage', 'type', {
  wanted: object('CodeWanted', { type: required(choice('wanted')), tab: required(uuidCodec), actor: optional(actor) }),
  code: object('CodeForTab', { type: required(choice('code')), tab: required(uuidCodec), code: required(text({ max: 128 })) }),
});

/**
 * Asks the other tabs for a login code, again when the page is shown again, and calls `onCode` with the first one. Returns a function that
 * stops waiting.
 * @param before who was signed in here: nobody becomes somebody else in the middle of their work
 */
export function askOtherTabs(before: string | undefined, onCode: (code: string) => void): () => void {
  const channel = new BroadcastChannel(channel_name);
  const tab = uuid();
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const read = decode(message, data);
    if (isRefused(read) || read.right.type !== 'code' || read.right.tab !== tab) return;
    stop();
    onCode(read.right.code);
  });
  const ask = (): void => channel.postMessage({ type: 'wanted', tab, ...(before === undefined ? {} : { actor: before }) });
  const askAgain = (): void => void (document.hidden || ask());
  const stop = (): void => {
    document.removeEventListener('visibilitychange', askAgain);
    channel.close();
  };
  document.addEventListener('visibilitychange', askAgain);
  ask();
  return stop;
}

/** Gives other tabs that ask a login code for the same actor. Returns a function that ends that. */
export function serveOtherTabs(api: Api, name: string): () => void {
  const channel = new BroadcastChannel(channel_name);
  let isOpen = true;
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const read = decode(message, data);
    if (isRefused(read) || read.right.type !== 'wanted' || (read.right.actor ?? name) !== name) return;
    const { tab } = read.right;
    // A tab that receives no code asks for the token, as one that is alone does.
    api.post('/api/login-code', loginCodeCodec).then(
      ({ code }) => isOpen && channel.postMessage({ type: 'code', tab, code }),
      () => undefined,
    );
  });
  return () => {
    isOpen = false;
    channel.close();
  };
}
