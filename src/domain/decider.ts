/** A decider (Chassaing): what a stream's past means (`evolve`) and what a command makes of it (`decide`). Pure; time is in the command. */
import type { Result } from '../base/result.js';

export interface Decider<State, Command, Event, Context> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event, context: Context) => State;
  readonly decide: (state: State, command: Command) => Result<readonly Event[]>;
}
