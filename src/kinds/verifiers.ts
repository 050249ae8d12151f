/** The verifier of a result, by the engine that made it: results outlive the versions of their engines. */
import type { EngineId } from '../codec/events/mission.js';
import type { Kind } from '../codec/kinds.js';
import type { Solver } from './kind.js';
import { missionKind } from './table.js';
import type { Work } from './works.js';

const isOf = (engine: EngineId, made: EngineId): boolean => engine.name === made.name && engine.version === made.version;

/** Returns the engine and the verifier of a kind whose results are verified on a thread, or null. */
export function solverOf(kind: Kind): Solver<Work> | null {
  const { solver } = missionKind(kind);
  return solver.verifier === null ? null : solver;
}

/** Returns what loads the verifier of results that the engine or the language model made, or null when this program has none. */
export function verifierOf<W>(solver: Solver<W> | null, made: EngineId): Solver<W>['verifier'] | null {
  if (solver === null) return null;
  const { engine, former = {}, isRecomputed, model, verifier } = solver;
  if (model !== undefined && isOf(model.engine, made)) return model.verifier;
  if (isOf(engine, made)) return verifier;
  if (made.name !== engine.name) return null;
  return (Object.hasOwn(former, made.version) ? former[made.version] : null) ?? (isRecomputed ? verifier : null);
}

/** Returns whether verifying a result that the engine made includes computing it again. */
export const isRecomputed = <W>({ engine, isRecomputed: takesNoTime }: Solver<W>, made: EngineId): boolean =>
  takesNoTime && isOf(engine, made);

/**
 * Returns whether a result of the kind was made by a version of its engine that this program does not hold, and is therefore not computed
 * again as others are. Results of a language model never are.
 */
export function isBeyondRecomputing(kind: Kind, made: EngineId | null): boolean {
  const solver = solverOf(kind);
  return made !== null && solver?.isRecomputed === true && made.name === solver.engine.name && !isRecomputed(solver, made);
}
