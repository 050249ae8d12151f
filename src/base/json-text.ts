/** JSON that is kept or assembled as text, with the type of the value that it represents. */

export class JsonText<A> {
  /** Carries the type only: no object has this member at run time. */
  declare protected readonly value: A;

  /** Wraps a text; the caller guarantees that it has the shape of the type. */
  constructor(readonly text: string | Uint8Array) {}
}
