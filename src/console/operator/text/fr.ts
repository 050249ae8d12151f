/** The French dictionary. */
import type { Words } from './en.js';
import { approvers } from './fr/approvers.js';
import { audit } from './fr/audit.js';
import { create } from './fr/create.js';
import * as missions from './fr/missions.js';
import * as payments from './fr/payments.js';
import { failed, shell, states } from './fr/shell.js';
import * as system from './fr/system.js';

export const fr: Words = { shell, failed, states, create, approvers, audit, ...missions, ...system, ...payments };
