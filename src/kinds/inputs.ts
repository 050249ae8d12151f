/**
 * The inputs of a mission as people read them before its result: single values, and lists as tables. Members and columns have the names of the
 * request; pages have words for them in each language, terminals those in `names`.
 */
import * as t from 'io-ts';
import { viewOf } from './view-fields.js';

export type InputCell = string | number | null;

export type InputTable = Readonly<ReturnType<typeof listed>>;

export interface Inputs {
  readonly facts: readonly (readonly [member: string, value: InputCell])[];
  readonly tables: readonly InputTable[];
  /** A program, whose lines are numbered. */
  readonly listing?: { readonly member: string; readonly text: string };
  /** What a member, a column or a value (`objective.makespan`) is called, where its own name does not say it. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Returns the inputs of a request; null after its erasure. */
export type InputsOf = (request: unknown) => Inputs | null;

export const inputsFor =
  <W>(codec: t.Type<W, unknown>, inputsOf: (work: W) => Inputs): InputsOf =>
  (request) => {
    const view = viewOf(t.type({ work: codec, effort: t.unknown }), { effort: null, ...(request as object | null) });
    if (view === null) return null;
    const { facts, ...inputs } = inputsOf(view.work);
    return { facts: [...facts, ...given({ effort: view.effort as InputCell })], ...inputs };
  };

/** Returns the values that there are, each with its member. */
export const given = (values: Readonly<Record<string, InputCell | undefined>>): Inputs['facts'] =>
  Object.entries(values).flatMap(([member, value]) => (value === undefined || value === null ? [] : [[member, value] as const]));

/** Returns a list as a table, without the columns that have no value in any row. */
export function listed<R>(
  member: string,
  rows: readonly R[],
  cells: Readonly<Record<string, (row: R, index: number) => InputCell | undefined>>,
) {
  const columns = Object.entries(cells).flatMap(([column, cellOf]) => {
    const values = rows.map((row, i) => cellOf(row, i) ?? null);
    return values.every((value) => value === null || value === '') ? [] : [{ column, values }];
  });
  return {
    member,
    columns: columns.map(({ column }) => column),
    rows: rows.map((_, i) => columns.map(({ values }) => values[i] ?? null)),
  };
}
