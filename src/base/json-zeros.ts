/** Puts zeros in place of the negative zeros of a parsed text, as the scan finds them. */
import type { Json } from './canonical-json.js';

type Container = Record<string | number, unknown>;

/** The way to the value that is read. */
interface Path {
  /** Returns the name or index at which the container at a level is read. @param depth number of open containers */
  readonly key: (level: number, depth: number) => string | number;
}

export class NegativeZeros {
  /** The values of the open containers, the outermost first, as far as they are known. */
  private readonly containers: unknown[] = [];
  private known = 0;

  constructor(public value: Json) {}

  /** To be called when a container begins. @param depth number of containers around it */
  opened(depth: number): void {
    if (this.known > depth) this.known = depth;
  }

  /** Clears the sign of the value that is read. @param depth number of containers around it */
  clear(depth: number, path: Path): void {
    if (depth === 0) {
      this.value = 0;
      return;
    }
    const { containers } = this;
    for (; this.known < depth; this.known++)
      containers[this.known] =
        this.known === 0 ? this.value : memberOf(containers[this.known - 1], path.key(this.known - 1, depth));
    const container = containers[depth - 1];
    const key = path.key(depth - 1, depth);
    // A member that is repeated has another value, and its text is refused later.
    if (isContainer(container) && Object.is(container[key], -0)) container[key] = 0;
  }
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const memberOf = (value: unknown, key: string | number): unknown =>
  isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined;
