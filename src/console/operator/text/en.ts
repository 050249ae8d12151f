/** The English dictionary; every other has exactly its keys. */
import { approvers } from './en/approvers.js';
import { audit } from './en/audit.js';
import { create } from './en/create.js';
import * as missions from './en/missions.js';
import * as payments from './en/payments.js';
import { failed, shell, states } from './en/shell.js';
import * as system from './en/system.js';

export const en = { shell, failed, states, create, approvers, audit, ...missions, ...system, ...payments };

export type Words = typeof en;
