/** The French dictionary. */
import type { Words } from './en.js';
import { create } from './fr/create.js';
import { list, mission, review } from './fr/missions.js';
import { allocation, code, forecast, research, results, schedule } from './fr/results.js';
import { kinds, shell, states } from './fr/shell.js';
import { doctor, journal, tools } from './fr/system.js';

export const fr: Words = {
  shell,
  states,
  kinds,
  list,
  mission,
  review,
  results,
  research,
  allocation,
  schedule,
  forecast,
  code,
  create,
  journal,
  doctor,
  tools,
};
