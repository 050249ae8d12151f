/** Faults of a mission request. */
import * as E from 'fp-ts/lib/Either.js';
import type { FieldError } from '../../../base/refusal.js';
import { decode } from '../../../codec/kit.js';
import { missionDraft } from '../../../kinds/request.js';

/** The faults that the agent would name, in its words. */
export function faultsOf(request: unknown): readonly FieldError[] {
  const decoded = decode(missionDraft, request);
  if (!E.isLeft(decoded)) return [];
  return decoded.left.errors ?? [{ path: '', message: decoded.left.detail }];
}
