/** What a mission's request changes of the one that it was made from. */
import { type RequestChange, request_changes_max } from '../codec/api-missions.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns what differs between two requests. */
export function changesBetween(before: unknown, after: unknown): readonly RequestChange[] {
  const changes: RequestChange[] = [];
  compare('', before, after, changes);
  return changes.slice(0, request_changes_max);
}

function compare(path: string, before: unknown, after: unknown, changes: RequestChange[]): void {
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    if (before !== after) changes.push({ path, ...member('before', before), ...member('after', after) });
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const within = Array.isArray(before) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    compare(within, before[name], after[name], changes);
  }
}

const member = (name: 'before' | 'after', value: unknown): Json => (value === undefined ? {} : { [name]: value });
