/** The faults of a request that the server would name, in its words. */
import * as E from 'fp-ts/lib/Either.js';
import type { FieldError } from '../../../base/refusal.js';
import { decode } from '../../../codec/kit.js';
import { simulationInput, type SimulationInput } from '../../../codec/simulation.js';

export interface Checked {
  readonly faults: readonly FieldError[];
  /** The request with every default; null if there are faults. */
  readonly input: SimulationInput | null;
}

export function checked(request: unknown): Checked {
  const decoded = decode(simulationInput, request);
  if (E.isRight(decoded)) return { faults: [], input: decoded.right };
  const { errors, detail } = decoded.left;
  return { faults: errors ?? [{ path: '', message: detail }], input: null };
}
