/** The verifier of a result, by the engine that made it: results outlive the versions of their engines. */
import type { EngineId } from '../codec/events/mission.js';
import type { Kind } from '../codec/kinds.js';
import type { Verify } from '../engines/engine.js';
import type { Solver } from './kind.js';
import { missionKind } from './table.js';
import type { Work } from './works.js';

/** Returns the verifier of results of the kind that the engine or the language model made, or null when this program has none. */
export function verifierOf(kind: Kind, made: EngineId): Verify<Work> | null {
  const { solver } = missionKind(kind);
  return solver === null || solver.verify === null ? null : verifierIn(solver, made);
}

export function verifierIn<W>(solver: Solver<W>, { name, version }: EngineId): Verify<W> | null {
  const { engine, former = {}, isRecomputed, model, verify } = solver;
  if (name === model?.name) return version === model.version ? model.verify : null;
  if (name !== engine.name) return null;
  if (version === engine.version) return verify;
  return (Object.hasOwn(former, version) ? former[version] : null) ?? (isRecomputed ? verify : null);
}

/**
 * Returns whether a result of the kind would be computed again by a version of its engine that this program does not hold, so that only its
 * claims are checked. Results of a language model are never computed again.
 */
export function isBeyondRecomputing(kind: Kind, made: EngineId | null): boolean {
  const { solver } = missionKind(kind);
  if (made === null || solver === null || solver.verify === null || !solver.isRecomputed) return false;
  return made.name === solver.engine.name && made.version !== solver.engine.version;
}
