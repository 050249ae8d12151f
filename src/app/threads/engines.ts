/** The engine of each mission kind; `code` has none yet. */
import type { Kind } from '../../codec/kinds.js';
import type { MissionRequest } from '../../kinds/request.js';
import type { Work } from '../../kinds/works.js';
import { idsHashOf } from '../../domain/mission.js';
import type { Engine, EngineInput } from '../../engines/engine.js';
import { allocationEngine } from '../../kinds/allocation/engine/engine.js';
import { forecastEngine } from '../../kinds/forecast/engine/engine.js';
import { researchEngine } from '../../kinds/research/engine/engine.js';
import { scheduleEngine } from '../../kinds/schedule/engine/engine.js';

export type AnyEngine = Engine<Work, unknown>;

/** An engine that sees only work of its own kind, behind the common type. */
const widen = <W extends Work, R>(kind: W['kind'], engine: Engine<W, R>): AnyEngine => {
  const narrow = (work: Work): W => {
    if (work.kind !== kind) throw new TypeError(`${engine.name} was given ${work.kind} work`);
    return work as W;
  };
  return {
    name: engine.name,
    version: engine.version,
    resultBytesBound: (work) => engine.resultBytesBound(narrow(work)),
    run: (input, checkpoint) => engine.run({ ...input, work: narrow(input.work) }, checkpoint),
    verify: (input, result) => engine.verify({ ...input, work: narrow(input.work) }, result),
  };
};

const engines: Readonly<Record<Kind, AnyEngine | null>> = {
  research: widen('research', researchEngine),
  allocation: widen('allocation', allocationEngine),
  schedule: widen('schedule', scheduleEngine),
  forecast: widen('forecast', forecastEngine),
  code: null,
};

export const engineOf = (kind: Kind): AnyEngine | null => engines[kind];

export const engineInput = (request: MissionRequest, max_evaluations: number, warm_start: unknown): EngineInput<Work> => ({
  goal: request.goal,
  work: request.work,
  seed: request.seed,
  population: request.population,
  generations: request.generations,
  effort: { max_evaluations },
  warm_start,
});

const ids = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

/** SHA-256 over the kind and the sorted ids, for kinds whose search an earlier solution can seed; null for the others. */
export function idsHash(work: Work): string | null {
  if (work.kind === 'allocation') return idsHashOf(work.kind, ids(work.items));
  if (work.kind === 'schedule') return idsHashOf(work.kind, ids(work.jobs));
  return null;
}
