/** Who did what: the actor and the channel that a document names, whatever its event. */
import { isObject } from './faults.js';
import { via, type Via } from './scalars.js';

type Document = Readonly<Record<string, unknown>>;

export const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

export function actorOf(document: Document): string | null {
  const actor = document['actor'] ?? member(document['review'], 'actor');
  return typeof actor === 'string' ? actor : null;
}

export function viaOf(document: Document): Via | null {
  const found = document['via'] ?? member(document['review'], 'via');
  return via.is(found) ? found : null;
}

/** Returns the assistant that submitted a mission, by its role or its channel; null for a person. */
export const assistantOf = (document: Readonly<Record<string, unknown>>): string | null =>
  document['assistant'] === true || document['via'] === 'mcp' ? actorOf(document) : null;
