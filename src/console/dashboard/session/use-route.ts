/** The route of the page's address, kept up to date; and going to another one. */
import { useHash } from '../../kit/address/use-hash.js';
import { hrefOf, parseRoute, type Route } from './routes.js';

export const useRoute = (): Route => parseRoute(useHash());

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}
