/** The parts of admission that every policy has; each policy decides their order. */
import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.js';
import { connectionDenial } from './framing.js';
import { Denied, type Denial } from './problem.js';
import type { Route } from './routes.js';

/** @throws Denied 404 for an unknown path, 405 for a method that the path does not support. OPTIONS passes. */
export function requireRoute(route: Route, method: string): void {
  if (route.allow.length === 0) throw new Denied({ code: 'not_found', detail: 'there is nothing at this path' });
  if (route.endpoint !== null || method === 'OPTIONS') return;
  const detail = 'method not allowed; see the Allow header';
  throw new Denied({ code: 'method_not_allowed', detail, headers: { Allow: route.allow.join(', ') } });
}

/** @throws Denied for a head with a refused framing, host or version */
export function requireHead({ head }: Exchange): void {
  if (head.denial !== null) throw new Denied(head.denial);
}

/** @throws Denied 400 for a Connection field that lists a field for every recipient. `requireHead` checks it too, but later. */
export function requireConnection({ rawHeaders }: IncomingMessage): void {
  const denial = connectionDenial(rawHeaders);
  if (denial !== null) throw new Denied(denial);
}

/** @throws Denied 417 for an unknown Expect value */
export function requireKnownExpectation({ expect }: Exchange): void {
  if (expect === 'unknown') throw new Denied(expectation);
}

const expectation: Denial = { code: 'expectation_failed', detail: 'only Expect: 100-continue is supported', close: true };
