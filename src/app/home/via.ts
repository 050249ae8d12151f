/** The channel through which somebody acts on a home. */
import { withVia } from '../../codec/event.js';
import type { Via } from '../../codec/scalars.js';
import type { Command } from '../../journal/writer.js';
import type { Home } from './home.js';

/** Returns the home for one who acts through a channel: it is recorded with each event, beside the actor. @param via none for the program itself */
export const homeVia = (home: Home, via: Via | undefined): Home =>
  via === undefined ? home : { ...home, transact: (command) => home.transact(commandVia(command, via)) };

export const commandVia =
  <A>(command: Command<A>, via: Via): Command<A> =>
  (tx) =>
    command({ ...tx, append: (stream, event) => tx.append(stream, withVia(event, via)) });
