/** The route of the page's address, kept up to date; and going to another one. */
import { useHash } from '../../kit/address/use-hash.js';
import { hrefOf, parseRoute, type Route } from './route.js';

export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** Like `goTo`, but replaces the current address: for filters that change while one types. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, '', hrefOf(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
