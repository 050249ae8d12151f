/** The French dictionary. */
import type { Words } from './en.js';
import { audit } from './fr/audit.js';
import { create } from './fr/create.js';
import { list, mission, review } from './fr/missions.js';
import { invoice, payments, receipt, settlement, wallet } from './fr/payments.js';
import { failed, shell, states } from './fr/shell.js';
import { doctor, journal, tools } from './fr/system.js';

export const fr: Words = {
  shell,
  failed,
  states,
  list,
  mission,
  review,
  create,
  journal,
  audit,
  doctor,
  tools,
  payments,
  wallet,
  invoice,
  settlement,
  receipt,
};
