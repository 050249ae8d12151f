/**
 * A stream holds the entries of one thing: a mission, a tool, an access token. Its declaration says how it is named, which events
 * belong to it and how they change the thing's state. The projection that keeps the table and the reader that compares the table with the
 * signed entries both use the declaration, so they cannot differ.
 */
import type { Entry } from '../codec/entry.js';
import type { Event, EventType } from '../codec/event.js';
import { roles } from '../codec/roles.js';

/** The position of an event in the journal. */
export interface EventContext {
  /** The id of the stream's thing: a mission's UUID, a tool's id, a token's name. */
  readonly id: string;
  readonly sequence: number;
  readonly time: string;
}

/** An event of a stream and its position. */
export interface EventAt<A extends Event> extends EventContext {
  readonly event: A;
}

export interface Stream<State, A extends Event = Event> {
  /** The word for the thing in messages. */
  readonly noun: string;
  /** The prefix of the streams' names, or the whole name of a single stream. */
  readonly prefix: string;
  readonly nameOf: (id: string) => string;
  /** Returns the id of the thing whose stream has this name; null for a stream of another declaration. */
  readonly idOf: (name: string) => string | null;
  readonly isEvent: (event: Event | null) => event is A;
  /** Returns the state after an event; the same object when the event changes nothing. */
  evolve(state: State | null, event: A, at: EventContext): State | null;
  /** Returns whether an event determines the whole state, so that no earlier one has to be read; no event does when absent. */
  isWhole?(event: A): boolean;
}

type GroupOf<T> = T extends `${infer G}.${string}` ? `${G}.` : never;
/** An event type, or the prefix of a group of types: `tool.` selects every `tool.…`. */
type Selector = EventType | GroupOf<EventType>;
type SelectedType<S> = S extends EventType ? S : S extends string ? Extract<EventType, `${S}${string}`> : never;
export type EventIn<S extends Selector> = Extract<Event, { type: SelectedType<S> }>;

interface Declaration<State, S extends Selector> extends Pick<Stream<State, EventIn<S>>, 'noun' | 'evolve' | 'isWhole'> {
  readonly events: readonly S[];
}

/**
 * Declares the streams of many things, each named by a prefix and the thing's id.
 * @example streams<Sweep, 'sweep.'>('@sweep:', { noun: 'sweep', events: ['sweep.'], evolve: evolveSweep })
 */
export const streams = <State, S extends Selector>(
  prefix: string,
  { isId, ...declared }: Declaration<State, S> & { readonly isId?: (id: string) => boolean },
): Stream<State, EventIn<S>> =>
  declare(declared, {
    prefix,
    nameOf: (id) => `${prefix}${id}`,
    idOf: (name) => {
      if (!name.startsWith(prefix)) return null;
      const id = name.slice(prefix.length);
      return isId === undefined || isId(id) ? id : null;
    },
  });

/** Declares a single stream, whose name is also its id. */
export const singleStream = <State, S extends Selector>(
  name: string,
  declared: Declaration<State, S>,
): Stream<State, EventIn<S>> =>
  declare(declared, { prefix: name, nameOf: () => name, idOf: (given) => (given === name ? name : null) });

type Naming = Pick<Stream<never, never>, 'prefix' | 'nameOf' | 'idOf'>;

const declare = <State, S extends Selector>(
  { events, ...declared }: Declaration<State, S>,
  naming: Naming,
): Stream<State, EventIn<S>> => ({
  ...naming,
  ...declared,
  isEvent: (event): event is EventIn<S> =>
    event !== null &&
    events.some((selector) => (selector.endsWith('.') ? event.type.startsWith(selector) : event.type === selector)),
});

/** Returns the event that an entry adds to a stream; null for an entry of another stream or with an event of another type. */
export function placedOn<State, A extends Event>(
  stream: Pick<Stream<State, A>, 'idOf' | 'isEvent'>,
  { event, stream: name, sequence, time }: Pick<Entry, 'event' | 'stream' | 'sequence' | 'time'>,
): EventAt<A> | null {
  if (!stream.isEvent(event)) return null;
  const id = stream.idOf(name);
  return id === null ? null : { id, sequence, time, event };
}

/** The restarts of an agent. Every event holds the number of all of them. */
export const agentStream = streams<{ readonly restarts: number }, 'agent.'>('@agent:', {
  noun: 'agent',
  events: ['agent.'],
  isId: (role) => roles.some((known) => known === role),
  evolve: (_, { document: { restarts } }) => ({ restarts }),
  isWhole: () => true,
});

/** The name of the stream of the message bus. */
export const busName = '@bus';
