/**
 * A mission's request: the file that an operator writes and the body that the API takes. Defaults are filled in by decoding: the first
 * ones for a stored request that names no version of them, the newest ones for a new mission.
 */
import type * as t from 'io-ts';
import * as limits from '../base/limits.js';
import { defaultsVersion, type Draft, DraftType } from '../codec/defaults.js';
import { added, integer, object, required, tagged, text, withDefault } from '../codec/kit.js';
import { works } from './works.js';

export const workCodec = tagged('Work', 'kind', works);

export const missionRequest = object('Mission', {
  goal: required(text({ min: limits.goal_chars_min, max: limits.goal_chars_max, notBlank: true })),
  work: required(workCodec),
  seed: withDefault(integer(0, limits.seed_max), 42),
  population: withDefault(integer(limits.population_min, limits.population_max), 20),
  generations: withDefault(integer(1, limits.generations_max), 12),
  defaults: added('2.1.0', defaultsVersion, 1),
});

export type MissionRequest = t.TypeOf<typeof missionRequest>;

/** The request of a new mission. */
export type MissionDraft = Draft<MissionRequest>;
export const missionDraft: t.Type<MissionDraft, unknown> = new DraftType(missionRequest);
