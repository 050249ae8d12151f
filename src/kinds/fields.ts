/** Fields and rules that the work of several kinds has. */
import * as limits from '../base/limits.js';
import type { FieldError } from '../base/refusal.js';
import { text } from '../codec/kit.js';

/** What people call a thing that has an id here. It is shown beside results, which name ids only. */
export const title = text({ min: 1, max: limits.title_chars_max, notBlank: true });

export const unit = text({ min: 1, max: limits.unit_chars_max, notBlank: true });

/** Returns a fault for each entry whose id an earlier entry has. */
export function duplicates(path: string, entries: readonly { readonly id: string }[]): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  entries.forEach((entry, i) => {
    if (seen.has(entry.id)) errors.push({ path: `${path}[${i}].id`, message: 'is used twice in this mission' });
    seen.add(entry.id);
  });
  return errors;
}
