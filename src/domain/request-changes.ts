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

/** Changes that are named each by itself; where there are more, the array or all of the work is named. */
const named_changes_max = 100;

/**
 * Returns the sorted paths of the values that differ between two works. Where the lengths of an array differ, it is the path of the array.
 * @param named paths that are among them in any case
 */
export function changedPaths(before: unknown, after: unknown, named: readonly string[] = []): readonly string[] {
  const paths = [...new Set([...named, ...pathsBetween(before, after, 'work')])].toSorted();
  return paths.length > named_changes_max ? ['work'] : paths;
}

function pathsBetween(before: unknown, after: unknown, path: string): readonly string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [path];
    const paths = before.flatMap((value, i) => pathsBetween(value, after[i], `${path}[${i}]`));
    return paths.length > named_changes_max ? [path] : paths;
  }
  if (isObject(before) && isObject(after) && !Array.isArray(before) && !Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => pathsBetween(before[name], after[name], `${path}.${name}`));
  }
  return before === after ? [] : [path];
}
