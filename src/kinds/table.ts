/** The mission kinds. */
import type { Kind } from '../codec/kinds.js';
import { allocationKind } from './allocation/kind.js';
import { codeKind } from './code/kind.js';
import { forecastKind } from './forecast/kind.js';
import type { MissionKind } from './kind.js';
import { researchKind } from './research/kind.js';
import { scheduleKind } from './schedule/kind.js';

const missionKinds: { readonly [K in Kind]: MissionKind<K> } = {
  research: researchKind,
  allocation: allocationKind,
  schedule: scheduleKind,
  forecast: forecastKind,
  code: codeKind,
};

/** Returns the declaration of a kind. For a kind that is known only at run time, its members take the work of any kind. */
export const missionKind = <K extends Kind>(kind: K): MissionKind<K> => missionKinds[kind];

/** Returns whether a result is a program, which would have to run in a sandbox to be checked. */
export const needsSandbox = (kind: Kind): boolean => missionKind(kind).solver.verifier === null;
