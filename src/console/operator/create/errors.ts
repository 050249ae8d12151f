/** Faults of a request and the fields that they belong to. */
import * as E from 'fp-ts/lib/Either.js';
import type { FieldError } from '../../../base/refusal.js';
import { decode } from '../../../codec/kit.js';

/** The faults that the agent would name, in its words. */
export function faultsOf(request: unknown): readonly FieldError[] {
  const decoded = decode(missionRequest, request);
  if (!E.isLeft(decoded)) return [];
  return decoded.left.errors ?? [{ path: '', message: decoded.left.detail }];
}

/** Whether a fault's path is the field's or lies within it. */
export const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

/** Of the fields on the page the one that a fault belongs to: the longest path that holds it. */
export function fieldFor(path: string, fields: readonly string[]): string | null {
  const holding = fields.filter((field) => isWithin(path, field)).toSorted((a, b) => b.length - a.length);
  return holding[0] ?? null;
}
