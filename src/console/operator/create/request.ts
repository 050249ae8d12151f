/** The mission file of a form. */
import type { Json } from '../../../base/canonical-json.js';
import type { FieldError } from '../../../base/refusal.js';
import type { Fields } from '../../../codec/field.js';
import type { Kind } from '../../../codec/kinds.js';
import { missionRequest, type MissionRequest } from '../../../kinds/request.js';
import { checked, memberValues, typedText } from '../../kit/forms/values.js';
import { type Members, type SearchMember, searchMembers } from '../kinds/shared/draft.js';

/** A mission file, whose members may be wrong. */
export type MissionDocument = Readonly<Record<string, Json>>;

/** What every mission says, whatever its kind, and the form asks for. */
type CommonMember = Exclude<keyof MissionRequest, 'work' | 'provenance'>;
export type CommonDraft = Readonly<Record<CommonMember, string>>;

export const commonFields = missionRequest.fields as Readonly<Record<CommonMember, Fields[string]>>;

/**
 * Returns the mission file. Members that are left blank are left out, so that the agent's defaults hold, and so are settings that the kind's
 * engine does not use.
 */
export function requestOf(
  kind: Kind,
  common: CommonDraft,
  values: Members,
  search: readonly SearchMember[] = searchMembers,
): MissionDocument {
  const { goal, ...rest } = memberValues(commonFields, common);
  const used = Object.fromEntries(search.map((name) => [name, rest[name]]));
  return JSON.parse(JSON.stringify({ goal, work: { kind, ...values }, ...used })) as MissionDocument;
}

/** Returns the texts of a mission file's own members. */
export const commonOf = (request: Readonly<Partial<Record<CommonMember, unknown>>>): CommonDraft =>
  Object.fromEntries((['goal', ...searchMembers] as const).map((name) => [name, typedText(request[name])])) as CommonDraft;

export const emptyCommon = commonOf({});

/** The faults that the agent would name, in its words. */
export const faultsOf = (request: unknown): readonly FieldError[] => checked(missionRequest, request).faults;
