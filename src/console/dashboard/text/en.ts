/** The English texts of the dashboard; every other language has exactly their keys. */
import * as explore from './en/explore.js';
import { form } from './en/form.js';
import * as results from './en/run.js';
import { failed, shell, states } from './en/shell.js';

export const en = { shell, failed, states, form, ...results, ...explore };

export type Words = typeof en;
