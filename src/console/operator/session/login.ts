/** Login links, `#login=CODE`. The code leaves the address, and with it the browser's history, before anything else happens. */
import { isRefused } from '../../../base/result.js';
import { loginCodeCodec } from '../../../codec/api-login.js';
import { choice, decode, object, required, tagged, text } from '../../../codec/kit.js';
import { uuid as uuidCodec } from '../../../codec/scalars.js';
import type { Api } from '../../kit/api/client.js';
import { uuid } from '../../kit/api/uuid.js';

const form = /^#login=(.*)$/;

/** Removes a login code from the page's address. Returns the code; null if the address has none. */
function takeCode(): string | null {
  const code = form.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
}

export interface LoginLinks {
  /** The code of the link that opened the page; null without one. */
  readonly first: string | null;
  /** Calls the listener with the code of each later link. Returns a function that stops that. */
  readonly listen: (onCode: (code: string) => void) => () => void;
}

/** Begins to take login codes. To be called before anything else reads the page's address. */
export function takeLoginLinks(): LoginLinks {
  const listeners = new Set<(code: string) => void>();
  addEventListener('hashchange', () => {
    const code = takeCode();
    if (code !== null) for (const listener of listeners) listener(code);
  });
  return {
    first: takeCode(),
    listen: (onCode) => {
      listeners.add(onCode);
      return () => void listeners.delete(onCode);
    },
  };
}

/**
 * Signing a new tab in through one that is signed in: the new tab asks on a channel that only pages of this origin share, and
 * receives a fresh one-time code, never the token.
 */
const channel_name = 'agent-cli-login';

/** `tab` is a random id of the tab that asks. */
const message = tagged('TabMessage', 'type', {
  wanted: object('CodeWanted', { type: required(choice('wanted')), tab: required(uuidCodec) }),
  code: object('CodeForTab', { type: required(choice('code')), tab: required(uuidCodec), code: required(text({ max: 128 })) }),
});

/** Asks the other tabs for a login code, and calls `onCode` with the first one. Returns a function that stops waiting. */
export function askOtherTabs(onCode: (code: string) => void): () => void {
  const channel = new BroadcastChannel(channel_name);
  const tab = uuid();
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const read = decode(message, data);
    if (isRefused(read) || read.right.type !== 'code' || read.right.tab !== tab) return;
    channel.close();
    onCode(read.right.code);
  });
  channel.postMessage({ type: 'wanted', tab });
  return () => channel.close();
}

/** Gives other tabs that ask a login code for the same actor. Returns a function that ends that. */
export function serveOtherTabs(api: Api): () => void {
  const channel = new BroadcastChannel(channel_name);
  let isOpen = true;
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const read = decode(message, data);
    if (isRefused(read) || read.right.type !== 'wanted') return;
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
