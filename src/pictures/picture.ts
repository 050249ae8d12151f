/** The type of a function that draws a mission's result. */
import type { Screen } from './screen.js';

/** The parts of a mission from which a picture is drawn; the request is null after erasure. */
export interface Drawn {
  readonly goal: string;
  readonly request: unknown;
  readonly result: unknown;
}

/** Returns the lines of a picture, or null when the result has another shape than the one that is drawn. */
export type Picture = (mission: Drawn, screen: Screen) => string[] | null;
