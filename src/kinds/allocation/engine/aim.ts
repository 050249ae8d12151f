/** What a relaxation bounds: the total of an objective over the choices of a node, with prices for some rows. */
export interface Aim {
  readonly objective: Float64Array;
  /** The indices of the priced rows. */
  readonly rows: readonly number[];
  /** Returns the objective of the items chosen so far. */
  readonly sofar: () => number;
}
