/** The route of the page's address, kept up to date; and going to another one. */
import { useEffect, useState } from 'preact/hooks';
import { hrefOf, parseRoute, type Route } from './routes.js';

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    read();
    return () => removeEventListener('hashchange', read);
  }, []);
  return parseRoute(hash);
}

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** As `goTo`, without a step back to where one was. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, '', hrefOf(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
