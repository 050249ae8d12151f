/** The French texts of the dashboard. */
import type { Words } from './en.js';
import * as explore from './fr/explore.js';
import { form } from './fr/form.js';
import * as results from './fr/run.js';
import { failed, shell, states } from './fr/shell.js';

export const fr: Words = { shell, failed, states, form, ...results, ...explore };
