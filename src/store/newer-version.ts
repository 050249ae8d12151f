/** What a newer program wrote is nobody's damage: a refusal of its own, which `verify`, `list`, `show` and `export` pass over. */
import type { Refusal } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';

export const newerVersion = (detail: string, facts: NonNullable<Refusal['facts']>): RefusalError =>
  new RefusalError({
    code: 'newer_version',
    detail,
    facts,
    hint: 'use the newer version; list, show, verify and export read this home',
  });
