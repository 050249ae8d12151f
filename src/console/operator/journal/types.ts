/** The types of entries by group, in the order of the words. */
import type { EventType } from '../../../codec/event.js';
import { audit, type EventGroup } from '../text/en/audit.js';

const types = Object.keys(audit.types) as EventType[];
const groups = Object.keys(audit.groups) as EventGroup[];

export const typesByGroup: readonly (readonly [EventGroup, readonly EventType[]])[] = groups.map((group) => [
  group,
  types.filter((type) => type.startsWith(`${group}.`)),
]);

/** Returns the type if this program knows it. */
export const knownType = (type: string): EventType | null => types.find((each) => each === type) ?? null;
