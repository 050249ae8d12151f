/** JSON merge patches (RFC 7396): what a document of changes makes of another one, and the changes that lead from one to another. */
import { canonicalJson, type Json } from './canonical-json.js';

type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies a patch: a member that is null removes the member, an object changes members, every other value takes the place of the old one. */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/**
 * Returns the patch that makes `after` of `before`; empty where they are the same. A patch cannot say that a member becomes null: in
 * documents that differ so the member is removed.
 */
export function mergePatchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const patch = new Map<string, Json>();
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch.set(name, null);
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (isObject(old) && isObject(value)) {
      const inner = mergePatchBetween(old, value);
      if (Object.keys(inner).length > 0) patch.set(name, inner);
    } else if (old === undefined || canonicalJson(old) !== canonicalJson(value)) patch.set(name, value);
  }
  return Object.fromEntries(patch);
}
