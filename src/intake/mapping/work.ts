/** What a mapping returns: the work of a mission, questions, or faults. */
import type { Json } from '../../base/canonical-json.js';
import type { IntakeChoice, IntakeFault } from '../../codec/api-intake.js';
import type { TableColumn } from './table.js';

export type Columns = ReadonlyMap<string, TableColumn>;

/** The cell that a member of the work came from. */
export interface Origin {
  readonly member: string;
  readonly row: number;
}

export type WorkDraft =
  | {
      readonly outcome: 'work';
      readonly work: Readonly<Record<string, Json>>;
      /** How many rows of the file it was made from. */
      readonly rows: number;
      readonly columns: Columns;
      readonly notes: readonly string[];
      /** What the mission is about, for its goal. */
      readonly subject: string;
      /** Returns where the member with a path, such as `items[3].cost`, came from. */
      readonly originOf: (path: string) => Origin | null;
    }
  | { readonly outcome: 'choice_needed'; readonly choices: readonly IntakeChoice[]; readonly columns?: Columns }
  | { readonly outcome: 'invalid'; readonly errors: readonly IntakeFault[]; readonly columns?: Columns };

/** Returns the faults, or the questions where there are none. */
export const failed = (
  errors: readonly IntakeFault[],
  choices: readonly IntakeChoice[] = [],
): Exclude<WorkDraft, { readonly outcome: 'work' }> =>
  errors.length > 0 ? { outcome: 'invalid', errors } : { outcome: 'choice_needed', choices };
