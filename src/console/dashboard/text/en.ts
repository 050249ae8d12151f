/** The English texts of the dashboard; every other language has exactly their keys. */
import { agents, compare, insight, population, runs, sweep } from './en/explore.js';
import { form } from './en/form.js';
import { affected, forecast, run, sectors } from './en/run.js';
import { failed, shell, states } from './en/shell.js';

export const en = {
  shell,
  failed,
  states,
  form,
  run,
  forecast,
  affected,
  sectors,
  runs,
  sweep,
  compare,
  insight,
  population,
  agents,
};

export type Words = typeof en;
