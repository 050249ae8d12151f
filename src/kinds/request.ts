/** A mission's request: the file that an operator writes and the body that the API takes. Defaults are filled in by decoding. */
import type * as t from 'io-ts';
import * as limits from '../base/limits.js';
import { choice, either, integer, object, optional, required, tagged, text, withDefault } from '../codec/kit.js';
import { fileFaults, provenance } from './provenance.js';
import { works } from './works.js';

export const workCodec = tagged('Work', 'kind', works);

export const requestedEffort = either(choice('quick', 'normal', 'thorough'), integer(1, 100_000_000));

export const missionRequest = object(
  'Mission',
  {
    goal: required(text({ min: limits.goal_chars_min, max: limits.goal_chars_max, notBlank: true })),
    work: required(workCodec),
    seed: withDefault(integer(0, limits.seed_max), 42),
    population: withDefault(integer(limits.population_min, limits.population_max), 20),
    generations: withDefault(integer(1, limits.generations_max), 12),
    /** Absent where the configuration says how long to search. */
    effort: optional(requestedEffort),
    provenance: optional(provenance),
  },
  ({ work, provenance: origin }) => (work.kind === 'research' ? fileFaults(work.sources, origin?.files.length ?? 0) : []),
);

export type MissionRequest = t.TypeOf<typeof missionRequest>;
