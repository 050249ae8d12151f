/** Login links, `#login=CODE`. The code leaves the address, and with it the browser's history, before anything else happens. */

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
