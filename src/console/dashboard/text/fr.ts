/** The French texts of the dashboard. */
import type { Words } from './en.js';
import { agents, compare, insight, population, runs, sweep } from './fr/explore.js';
import { form } from './fr/form.js';
import { affected, forecast, run, sectors } from './fr/run.js';
import { failed, shell, states } from './fr/shell.js';

export const fr: Words = {
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
