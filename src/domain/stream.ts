/**
 * A stream holds the entries of one thing: a mission, a tool, an access token. Its declaration says how it is named, which events
 * belong to it and what they make of the thing. The projection that keeps the table and the reader that compares the table with the
 * signed entries both use the declaration, so they cannot differ.
 */
import type { Entry } from '../codec/entry.js';
import type { Event, EventType } from '../codec/event.js';

/** The place of an event in the journal. */
export interface EventContext {
  /** What the stream is of: a mission's UUID, a tool's id, a token's name. */
  readonly id: string;
  readonly sequence: number;
  readonly time: string;
}

/** An event of a stream and its place. */
export interface Placed<A extends Event> extends EventContext {
  readonly event: A;
}

export interface Stream<State, A extends Event> {
  /** What messages call the thing. */
  readonly noun: string;
  /** What the stream's name begins with, or the whole name of a stream that there is only one of. */
  readonly prefix: string;
  readonly nameOf: (id: string) => string;
  /** What the stream of this name is of; null for a stream of another declaration. */
  readonly idOf: (name: string) => string | null;
  readonly isEvent: (event: Event | null) => event is A;
  /** The state after an event. An event that changes nothing returns the very state that it was given. */
  readonly evolve: (state: State | null, event: A, at: EventContext) => State | null;
  /** Whether an event says the whole state, so that no earlier one has to be read. */
  readonly isWhole: ((event: A) => boolean) | null;
}

type GroupOf<T> = T extends `${infer G}.${string}` ? `${G}.` : never;
/** An event type, or the beginning of a group of them: `tool.` stands for every `tool.…`. */
type Selector = EventType | GroupOf<EventType>;
type Selected<S> = S extends EventType ? S : S extends string ? Extract<EventType, `${S}${string}`> : never;
/** The events that selectors stand for. */
export type EventIn<S extends Selector> = Extract<Event, { type: Selected<S> }>;

interface Declaration<State, S extends Selector> {
  readonly noun: string;
  readonly events: readonly S[];
  readonly evolve: Stream<State, EventIn<S>>['evolve'];
  readonly isWhole?: (event: EventIn<S>) => boolean;
}

/** Streams of many things, each named by a prefix and the thing's id. */
export function streams<State, S extends Selector>(
  prefix: string,
  { isId, ...declared }: Declaration<State, S> & { readonly isId?: (id: string) => boolean },
): Stream<State, EventIn<S>> {
  return declare(declared, {
    prefix,
    nameOf: (id) => `${prefix}${id}`,
    idOf: (name) => {
      if (!name.startsWith(prefix)) return null;
      const id = name.slice(prefix.length);
      return isId === undefined || isId(id) ? id : null;
    },
  });
}

/** The one stream of this name, which is its id too. */
export const singleStream = <State, S extends Selector>(
  name: string,
  declared: Declaration<State, S>,
): Stream<State, EventIn<S>> =>
  declare(declared, { prefix: name, nameOf: () => name, idOf: (given) => (given === name ? name : null) });

type Naming = Pick<Stream<never, never>, 'prefix' | 'nameOf' | 'idOf'>;

function declare<State, S extends Selector>(
  { noun, events, evolve, isWhole }: Declaration<State, S>,
  naming: Naming,
): Stream<State, EventIn<S>> {
  const isSelected = (type: EventType): boolean =>
    events.some((selector) => (selector.endsWith('.') ? type.startsWith(selector) : type === selector));
  return {
    ...naming,
    noun,
    isEvent: (event): event is EventIn<S> => event !== null && isSelected(event.type),
    evolve,
    isWhole: isWhole ?? null,
  };
}

/** The event that an entry adds to a stream; null for an entry of another stream or with an event that does not belong there. */
export function placedOn<State, A extends Event>(
  stream: Pick<Stream<State, A>, 'idOf' | 'isEvent'>,
  { event, stream: name, sequence, time }: Pick<Entry, 'event' | 'stream' | 'sequence' | 'time'>,
): Placed<A> | null {
  if (!stream.isEvent(event)) return null;
  const id = stream.idOf(name);
  return id === null ? null : { id, sequence, time, event };
}
