/** JSON that is kept or assembled as text, with the type of the value that it is the text of. */

export class JsonText<A> {
  /** For the type alone: nothing has this member at run time. */
  declare protected readonly value: A;

  /** Whoever wraps a text vouches for its shape. */
  constructor(readonly text: string | Uint8Array) {}

  static of<A>(value: A): JsonText<A> {
    return new JsonText<A>(JSON.stringify(value));
  }
}
