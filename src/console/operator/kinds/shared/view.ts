/** What the console has for a kind of mission: its form, and how its input and result are shown. */
import type { ComponentChildren } from 'preact';
import type { Kind } from '../../../../codec/kinds.js';
import type { MissionRecord } from '../../../../codec/api-missions.js';
import type { SearchMember } from './search.js';
import type { DraftOf, ValuesOf } from './work.js';

export interface FormProps<K extends Kind> {
  readonly draft: DraftOf<K>;
  readonly set: (part: Partial<DraftOf<K>>) => void;
}

export interface KindView<K extends Kind> {
  /** What the form holds at first. */
  readonly empty: DraftOf<K>;
  /** Returns the members of the work that a draft makes. */
  readonly valuesOf: (draft: DraftOf<K>) => ValuesOf<K>;
  /** Returns the draft of a mission file's work. */
  readonly fromWork: (work: Readonly<Record<string, unknown>>) => DraftOf<K>;
  /** The settings of the search that the kind's engine uses. */
  readonly search: readonly SearchMember[];
  readonly Form: (props: FormProps<K>) => ComponentChildren;
  /** Returns the result as people read it; null where it has another shape than this version knows. */
  readonly result: (record: MissionRecord) => ComponentChildren;
  /** Returns what is shown of the input below the result, also while there is none; null for nothing. */
  readonly input: (record: MissionRecord) => ComponentChildren;
}
