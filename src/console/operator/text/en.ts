/** The English dictionary; every other has exactly its keys. */
import { create } from './en/create.js';
import { list, mission, review } from './en/missions.js';
import { allocation, code, forecast, research, results, schedule } from './en/results.js';
import { kinds, login, problem, shell, stageRoles, states } from './en/shell.js';
import { doctor, journal, tools } from './en/system.js';

export const en = {
  shell,
  login,
  problem,
  states,
  kinds,
  stageRoles,
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

export type Dictionary = typeof en;
