/** The English dictionary; every other has exactly its keys. */
import { create } from './en/create.js';
import { list, mission, review } from './en/missions.js';
import { allocation, code, forecast, research, results, schedule } from './en/results.js';
import { kinds, shell, states } from './en/shell.js';
import { doctor, journal, tools } from './en/system.js';

export const en = {
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

export type Words = typeof en;
