/** The mission file of a form. */
import type { Fields } from '../../../codec/field.js';
import type { Kind } from '../../../codec/kinds.js';
import { missionRequest, type MissionRequest } from '../../../kinds/request.js';
import { memberValues } from '../../kit/forms/member-value.js';
import type { ValuesOf } from '../kinds/shared/work.js';

/** What every mission says, whatever its kind. */
type CommonMember = Exclude<keyof MissionRequest, 'work'>;
export type CommonDraft = Readonly<Record<CommonMember, string>>;

/** Settings of the search, beside the goal. */
export const searchMembers = ['seed', 'population', 'generations'] as const;

export const emptyCommon: CommonDraft = { goal: '', seed: '', population: '', generations: '' };

export const commonFields = missionRequest.fields as Readonly<Record<CommonMember, Fields[string]>>;

/** Returns the mission file. Members that are left blank are left out, so that the agent's defaults hold. */
export function requestOf<K extends Kind>(kind: K, common: CommonDraft, values: ValuesOf<K>): unknown {
  const { goal, ...rest } = memberValues(commonFields, common);
  return JSON.parse(JSON.stringify({ goal, work: { kind, ...values }, ...rest })) as unknown;
}
