/** The refusal for data that a newer program wrote: it is not damage, and `verify`, `list`, `show` and `export` can read past it. */
import { type Refusal, RefusalError } from '../base/refusal.js';

export const newerVersion = (detail: string, facts: NonNullable<Refusal['facts']>): RefusalError =>
  new RefusalError('newer_version', detail, {
    facts,
    hint: 'use the newer version; list, show, verify and export read this home',
  });
