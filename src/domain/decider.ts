/** A decider (Chassaing): what a stream's past means (`evolve`) and what a command makes of it (`decide`). Pure; time is in the command. */
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../base/result.js';
import { decodeEvent, type Event } from '../codec/event.js';

export interface Decider<State, Command, Event, Context> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event, context: Context) => State;
  readonly decide: (state: State, command: Command) => Result<readonly Event[]>;
}

/**
 * A decision of one event, refused when the event does not fit its codec: once recorded, an actor of 65 characters or an empty
 * reason could never be read back, and no command would open the journal again.
 */
export const one = <A extends Event>(event: A): Result<readonly A[]> =>
  E.map((): readonly A[] => [event])(decodeEvent(event.type, 1, event.document));
