/** The verifier of a result, by the engine that made it: results outlive the versions of their engines. */
import type { EngineId } from '../codec/events/mission.js';
import type { Kind } from '../codec/kinds.js';
import type { Verify } from '../engines/engine.js';
import { missionKind } from './table.js';
import type { Work } from './works.js';

/** Returns the verifier of results of the kind that the engine or the language model made, or null when this program has none. */
export function verifierOf(kind: Kind, made: EngineId): Verify<Work> | null {
  const { solver } = missionKind(kind);
  if (solver === null || solver.verify === null) return null;
  const { engine, former, model, verify } = solver;
  const maker = [{ ...engine, verify, former }, model].find((one) => one?.name === made.name);
  if (maker === undefined) return null;
  if (made.version === maker.version) return maker.verify;
  const { former: earlier = {} } = maker;
  return Object.hasOwn(earlier, made.version) ? (earlier[made.version] ?? null) : null;
}
