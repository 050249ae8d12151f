/** The mission that a draft becomes: what was changed by hand takes the place of what the files say, and its provenance says where. */
import type { Json } from '../../base/canonical-json.js';
import { applyMergePatch } from '../../base/merge-patch.js';

type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes that are named each by itself; where there are more, the array or all of the work is named. */
const named_changes_max = 100;

/** Returns the mission file. @param changes a JSON merge patch of the draft (RFC 7396) */
export function changedDraft(draft: Json, changes: Json): Json {
  const mission = applyMergePatch(draft, changes);
  if (!isObject(draft) || !isObject(mission) || !isObject(draft['provenance'])) return mission;
  // Only this program says where values come from.
  const { provenance } = draft;
  const paths = changedPaths(draft['work'], mission['work'], 'work');
  const changed = paths.length > named_changes_max ? ['work'] : paths;
  return { ...mission, provenance: changed.length === 0 ? provenance : { ...provenance, changed } };
}

/** Returns the paths of the values that differ, sorted; that of the array where its length does. */
function changedPaths(before: Json | undefined, after: Json | undefined, path: string): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
    return names.flatMap((name) => changedPaths(before[name], after[name], `${path}.${name}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, now] = [before as readonly Json[], after as readonly Json[]];
    if (old.length !== now.length) return [path];
    const paths = old.flatMap((value, i) => changedPaths(value, now[i], `${path}[${i}]`));
    return paths.length > named_changes_max ? [path] : paths;
  }
  return before === after ? [] : [path];
}
