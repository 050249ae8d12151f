/** Projects entries: reads the state before an entry, evolves it, and writes the state if it changed. */
import type { Entry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn, type Stream } from '../domain/stream.js';

export const projectStream =
  <State, A extends Event>(
    stream: Stream<State, A>,
    read: (id: string) => State | null,
    write: (state: State) => void,
  ): ((entry: Entry) => void) =>
  (entry) => {
    const placed = placedOn(stream, entry);
    if (placed === null) return;
    const before = read(placed.id);
    const after = stream.evolve(before, placed.event, placed);
    if (after !== null && after !== before) write(after);
  };
