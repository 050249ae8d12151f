/** What the console has for a kind of mission: its form, and how its input and result are shown. */
import type { ComponentChildren } from 'preact';
import type { MissionRecord } from '../../../../codec/api-missions.js';
import type { Kind } from '../../../../codec/kinds.js';
import type { InputsOf } from '../../../../kinds/inputs.js';
import type { Example } from '../../../../kinds/works.js';
import type { KindForm, SearchMember } from './draft.js';

export interface KindView<K extends Kind> {
  readonly example: Example<K>;
  readonly form: KindForm;
  /** The settings of the search that the kind's engine uses. */
  readonly search: readonly SearchMember[];
  /** Returns the result as people read it; null where it has another shape than this version knows. */
  readonly result: (record: MissionRecord) => ComponentChildren;
  readonly inputs: InputsOf;
  /** Draws the inputs of a kind that shows them in another way than as tables. */
  readonly input?: (record: MissionRecord) => ComponentChildren;
  /** Draws what is recorded of the execution beside the result, also without one. */
  readonly runs?: (record: MissionRecord) => ComponentChildren;
}
